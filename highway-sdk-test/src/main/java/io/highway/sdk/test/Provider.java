// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/** What one application of an island exports, with the state of the island in the present test. Thread-safe. */
final class Provider {

    private final Map<String, Invoker<?>> services = new ConcurrentHashMap<>();
    private volatile IslandState island;

    private final @Nullable ManualClock clock;

    /** With the clock that the test moves, or null if time passes by itself. */
    Provider(IslandState island, @Nullable ManualClock clock) {
        this.island = island;
        this.clock = clock;
    }

    @Nullable
    ManualClock clock() {
        return clock;
    }

    /** Null if the application does not belong to a test. */
    static @Nullable Provider of(ApplicationModel application) {
        return application.getBeanFactory().getBean(Provider.class);
    }

    /** The state of the present test. */
    IslandState island() {
        return island;
    }

    void island(IslandState present) {
        island = present;
    }

    void exported(String service, Invoker<?> invoker) {
        services.put(service, invoker);
    }

    void unexported(String service) {
        services.remove(service);
    }

    /** The exported service, with its guard and filters; null if the present test does not serve it. */
    @Nullable
    Invoker<?> service(String name) {
        Invoker<?> invoker = services.get(name);
        return invoker != null && island.serves(invoker.getInterface()) ? invoker : null;
    }
}
