// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.Invoker;
import org.jspecify.annotations.Nullable;

/** What an island serves in one test, its faults and its recorded calls. Thread-safe. */
final class IslandState {

    private final String name;
    private final Map<String, Invoker<?>> exported;
    private final Map<Class<?>, Object> services = new ConcurrentHashMap<>();
    private final List<AtomicReference<@Nullable RecordedCall>> calls = new CopyOnWriteArrayList<>();
    private final AtomicInteger attempts = new AtomicInteger();
    private final Map<Integer, Fault> faultsOfCalls = new ConcurrentHashMap<>();
    private volatile Fault fault = Fault.NONE;

    /** The island that its gateways lead to; null unless it is another one. */
    private volatile @Nullable Supplier<IslandState> servedBy;

    /** @param exported what its application exports, in whichever test */
    IslandState(String name, Map<String, Invoker<?>> exported) {
        this.name = name;
        this.exported = exported;
    }

    /** The same services and faults, and no call yet. */
    IslandState again() {
        IslandState next = new IslandState(name, exported);
        next.services.putAll(services);
        next.faultsOfCalls.putAll(faultsOfCalls);
        next.fault = fault;
        next.servedBy = servedBy;
        return next;
    }

    /** The next call is the first one of a test. */
    void begin() {
        attempts.set(0);
    }

    String name() {
        return name;
    }

    void serve(Class<?> type, Object service) {
        services.put(type, service);
    }

    @Nullable
    Object service(Class<?> type) {
        return services.get(type);
    }

    Map<Class<?>, Object> services() {
        return Map.copyOf(services);
    }

    /** The exported service, with its guard and filters; null if the test does not serve it. */
    @Nullable
    Invoker<?> exported(String service) {
        Invoker<?> invoker = exported.get(service);
        return invoker != null && service(invoker.getInterface()) != null ? invoker : null;
    }

    void fault(@Nullable Integer call, Fault next) {
        if (call == null) {
            fault = next;
        } else {
            faultsOfCalls.put(call, next);
        }
    }

    void recovers() {
        fault = Fault.NONE;
        faultsOfCalls.clear();
        servedBy = null;
    }

    void servedBy(Supplier<IslandState> other) {
        servedBy = other;
    }

    /** That of the island to which its gateways lead. */
    IslandState behindGateways() {
        Supplier<IslandState> other = servedBy;
        return other == null ? this : other.get();
    }

    /** That of all calls; health checks have it, too. */
    Fault fault() {
        return fault;
    }

    /** That of the call that arrives now. */
    Fault nextFault() {
        Fault ofCall = faultsOfCalls.get(attempts.incrementAndGet());
        return ofCall != null ? ofCall : fault;
    }

    /** The place of a call that arrives now; empty until it has ended. */
    AtomicReference<@Nullable RecordedCall> arrived() {
        AtomicReference<@Nullable RecordedCall> place = new AtomicReference<>();
        calls.add(place);
        return place;
    }

    /** Those that have ended, in the order in which they arrived. */
    List<RecordedCall> calls() {
        return calls.stream().flatMap(place -> Stream.ofNullable(place.get())).toList();
    }
}
