// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

import io.highway.sdk.dubbo.internal.caller.entry.HighwayCluster;
import io.highway.tools.benchmarks.calls.StubCluster;
import io.highway.tools.benchmarks.measure.Spread;
import io.highway.tools.benchmarks.scale.References.Reference;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.cluster.Cluster;
import org.apache.dubbo.rpc.cluster.ClusterInvoker;
import org.apache.dubbo.rpc.cluster.Directory;

/**
 * What the SDK adds to a call that stays home: calls of all references one after the other, with the SDK in front of a
 * home that answers at once, and without it. Both alternate in short slices.
 */
final class HomeCalls {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int CALLS = 20_000;
    private static final int WARM_UP = 30;
    private static final int SLICES = 31;
    private static final Result ANSWER = new AppResponse("at home");

    private final List<Invoker<?>> bare = new ArrayList<>();
    private final List<Invoker<?>> withSdk = new ArrayList<>();
    private final List<Invocation> invocations = new ArrayList<>();

    @SuppressWarnings("deprecation") // nothing else shows what is behind a reference
    private HomeCalls(List<Reference> references) {
        for (Reference reference : references) {
            if (reference.island().isEmpty()) {
                add(((ClusterInvoker<?>) reference.config().getInvoker()).getDirectory(), reference.type());
            }
        }
    }

    private <T> void add(Directory<T> directory, Class<?> type) {
        Cluster home = new StubCluster(ANSWER);
        bare.add(home.join(directory, true));
        withSdk.add(new HighwayCluster(home).join(directory, true));
        String name = type.getName();
        invocations.add(
                new RpcInvocation(null, "asked", name, name, new Class<?>[] {String.class}, new Object[] {"tea"}));
    }

    /** Nanoseconds of processor time per call. */
    static double addedNanos(List<Reference> references) {
        HomeCalls calls = new HomeCalls(references);
        List<Double> added = new ArrayList<>();
        for (int slice = -WARM_UP; slice < SLICES; slice++) {
            double without = calls.nanos(calls.bare);
            double with = calls.nanos(calls.withSdk);
            if (slice >= 0) {
                added.add(with - without);
            }
        }
        return Spread.of(added).median();
    }

    private double nanos(List<Invoker<?>> invokers) {
        long begun = THREADS.getCurrentThreadCpuTime();
        int next = 0;
        for (int call = 0; call < CALLS; call++) {
            if (invokers.get(next).invoke(invocations.get(next)) != ANSWER) {
                throw new IllegalStateException("a call did not stay home");
            }
            next = next + 1 == invokers.size() ? 0 : next + 1;
        }
        return (double) (THREADS.getCurrentThreadCpuTime() - begun) / CALLS;
    }
}
