// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.dubbo.Reason;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * An island in a test: what it serves, how it fails, and the calls that have reached its providers. A fault applies to all
 * calls until {@link #recovers}, or to one of them: {@code onCall(2).losesAnswers()}. Thread-safe.
 */
public final class TestIsland {

    /** What a provider, or its guard, can state; other reasons come from the caller's side, a gateway or time. */
    private static final Set<Reason> STATED =
            EnumSet.of(Reason.REFUSED_THERE, Reason.DENIED, Reason.BUSY, Reason.NO_SUCH_SERVICE, Reason.NO_SUCH_METHOD);

    private final Endpoints endpoints;
    private final Providers providers;
    private final @Nullable Integer call;

    TestIsland(Endpoints endpoints, Providers providers, @Nullable Integer call) {
        this.endpoints = endpoints;
        this.providers = providers;
        this.call = call;
    }

    /** {@return the island's id} */
    public String name() {
        return providers.state().name();
    }

    /** {@return the application of its providers, such as for its guard's listeners and its report} */
    public ApplicationModel application() {
        return providers.application();
    }

    /**
     * Serves an interface by this object: a lambda, a mock, a real service. It has any group and version, but none over real
     * connections.
     *
     * @param <T> the interface
     * @param type the interface
     * @param service replaces one that was given before
     * @return this island
     */
    public <T> TestIsland serves(Class<T> type, T service) {
        if (service == null) {
            throw new IllegalArgumentException("service: null is not allowed; write a lambda, a mock or an object of "
                    + type.getName() + "; what is not served needs no call");
        }
        providers.export(type, service);
        return this;
    }

    /**
     * Faults apply to one call only.
     *
     * @param number 1 for the first call that arrives after the test has begun
     * @return this island, whose faults apply to that call
     */
    public TestIsland onCall(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("number: " + number + " is not allowed; write 1 for the first call");
        }
        return new TestIsland(endpoints, providers, number);
    }

    /**
     * Its gateways accept no connection: calls are certainly not sent.
     *
     * @return this island
     */
    public TestIsland isDown() {
        requireAllCalls("isDown()");
        providers.fails(null, Fault.DOWN);
        endpoints.awaitConnected(name(), false);
        return this;
    }

    /**
     * Calls are executed, and their answers are lost: they end after their timeout, and may have run. Without real connections
     * that moves the clock of the test, and no time passes; for a call that is in flight until then use {@link #delays}.
     *
     * @return this island
     */
    public TestIsland losesAnswers() {
        return fails(Fault.LOST);
    }

    /**
     * Calls take longer. Without real connections a synchronous call moves the clock of the test, and no time passes. An
     * asynchronous one is in flight until the test {@linkplain Islands#advance advances} as far, or as much time has really
     * passed, so that tested code can wait for it; the provider has run at once.
     *
     * @param time how much longer
     * @return this island
     * @throws IllegalArgumentException if it is negative
     */
    public TestIsland delays(Duration time) {
        return fails(Fault.delays(requireNotNegative(time)));
    }

    static Duration requireNotNegative(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("time: " + time + " is not allowed; write 0 or more");
        }
        return time;
    }

    /**
     * The providers refuse calls, which they have not executed. With {@code DENIED} they do so as their guard does by a rule:
     * the caller gets {@code REFUSED_THERE}, and a message with {@code denied}.
     *
     * @param reason {@code REFUSED_THERE}, {@code DENIED}, {@code BUSY}, {@code NO_SUCH_SERVICE} or {@code NO_SUCH_METHOD}
     * @return this island
     * @throws IllegalArgumentException for a reason that no provider states
     */
    public TestIsland refuses(Reason reason) {
        if (!STATED.contains(reason)) {
            throw new IllegalArgumentException(
                    "reason: " + reason + " is not allowed; a provider states one of " + STATED);
        }
        return fails(Fault.refuses(reason));
    }

    /**
     * Its gateways lead to another island, which serves the interface, too: the guard there refuses the calls, which it has
     * not executed, and the gateways are {@code misrouted}. For islands without real connections.
     *
     * @param other the island to which they lead
     * @return this island
     * @throws IllegalStateException after {@link #onCall}, for home, which has no gateway, and with real connections
     */
    public TestIsland isServedBy(TestIsland other) {
        requireAllCalls("isServedBy(..)");
        providers.servedBy(other.providers);
        return this;
    }

    private TestIsland fails(Fault fault) {
        providers.fails(call, fault);
        return this;
    }

    /**
     * Opens the caller's circuit breakers of its gateways, as many failed calls do; they admit calls again after five seconds.
     *
     * @return this island
     * @throws IllegalStateException after {@link #onCall}, and for home, which has no gateway
     */
    public TestIsland breakerOpen() {
        requireAllCalls("breakerOpen()");
        if (providers.isHome()) {
            throw new IllegalStateException("breakerOpen() is for an island behind a gateway: home has none");
        }
        endpoints.openBreakers(name());
        return this;
    }

    private void requireAllCalls(String fault) {
        if (call != null) {
            throw new IllegalStateException(fault + " applies to connections, so to all calls: leave onCall out");
        }
    }

    /**
     * Ends all faults but open breakers, and waits until its gateways are connected.
     *
     * @return this island
     */
    public TestIsland recovers() {
        providers.recovers();
        endpoints.awaitConnected(name(), true);
        return this;
    }

    /** {@return the calls that have reached its providers and ended, in the order of arrival} */
    public List<RecordedCall> calls() {
        return providers.state().calls();
    }

    /**
     * The calls of one interface.
     *
     * @param service the interface
     * @return its calls, in this order
     */
    public List<RecordedCall> calls(Class<?> service) {
        return calls().stream().filter(one -> one.isOf(service)).toList();
    }

    @Override
    public String toString() {
        return name();
    }
}
