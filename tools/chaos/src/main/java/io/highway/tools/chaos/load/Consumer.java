// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.load;

import io.highway.sdk.Highway;
import io.highway.tools.chaos.account.Accounts;
import io.highway.tools.chaos.account.Mode;
import io.highway.tools.chaos.service.OrderService;
import io.highway.tools.processes.DubboCaller;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.rpc.RpcException;

/**
 * A consumer in zhejiang, a Dubbo application that shares nothing with the others. Home has a provider, too, to detect
 * misrouted calls.
 */
public final class Consumer implements AutoCloseable {

    /** The timeout of every call. */
    public static final int TIMEOUT_MILLIS = 1000;

    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(6);
    private static final int FAST_CALLS = 200;
    private static final long FAST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final DubboCaller caller;
    private final Mode mode;
    private final Compression compression;
    private final OrderService orders;

    /** {@code more} are further keys, {@code highway.gateways.*} among them. */
    public Consumer(Mode mode, Compression compression, Map<String, String> more, String homeProvider) {
        this.mode = mode;
        this.compression = compression;
        Map<String, String> keys = new HashMap<>(more);
        keys.put("highway.island", "zhejiang");
        keys.put("highway.defaults.compression", compression.word());
        keys.put("highway.islands.shanghai.tunnel", mode.word());
        keys.put("highway.islands.shanghai.timeout", TIMEOUT_MILLIS + "ms");
        keys.put("highway.islands.shanghai.retries", "1");
        keys.put("highway.islands.shanghai.idempotent", "query*");
        this.caller = new DubboCaller("chaos-" + mode.word(), keys);
        this.orders = caller.refer(OrderService.class, homeProvider, reference -> {});
    }

    /** Calls until calls are fast, or gives up; these calls are not recorded. */
    void warmUp() {
        long until = System.nanoTime() + WARM_UP_NANOS;
        int fast = 0;
        while (fast < FAST_CALLS && System.nanoTime() - until < 0) {
            long begun = System.nanoTime();
            try {
                Highway.to(Accounts.ISLAND).call(orders::island);
            } catch (Exception e) { // a cold star may not answer in time
                fast = 0;
                continue;
            }
            fast = System.nanoTime() - begun < FAST_NANOS ? fast + 1 : 0;
        }
    }

    /** One call that is not recorded; it may fail. */
    void call() {
        try {
            Highway.to(Accounts.ISLAND).call(orders::island);
        } catch (RpcException e) {
            // as those of the warm-up
        }
    }

    Mode mode() {
        return mode;
    }

    /** The text that a call carries in both directions. */
    String note(int id) {
        return compression.note(id);
    }

    OrderService orders() {
        return orders;
    }

    @Override
    public void close() {
        caller.close();
    }
}
