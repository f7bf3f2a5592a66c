// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.entry;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.highway.sdk.Island;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.apache.dubbo.common.url.component.ServiceConfigURL;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.junit.jupiter.api.Test;

class UnconfiguredClusterInvokerTest {

    private static final int CALLS = 20_000;

    interface Stall {

        String sell(String item);

        @Island("shanghai")
        String sellThere(String item);
    }

    @Test
    void allocatesNothing_forACallThatAsksForNoIsland() {
        FrameworkModel framework = new FrameworkModel();
        try {
            ServiceConfigURL url = new ServiceConfigURL(
                    "consumer", "127.0.0.1", 0, Stall.class.getName(), Map.of("interface", Stall.class.getName()));
            UnconfiguredClusterInvoker<Stall> invoker = new UnconfiguredClusterInvoker<>(
                    new StubHome<>(url, Stall.class), HighwayRuntime.of(framework.newApplication()));
            RpcInvocation call = new RpcInvocation(
                    (ServiceModel) null,
                    "sell",
                    Stall.class.getName(),
                    "",
                    new Class<?>[] {String.class},
                    new Object[] {"tea"});
            invoke(invoker, call);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

            long before = threads.getCurrentThreadAllocatedBytes();
            invoke(invoker, call);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;

            assertThat(allocated / CALLS).as("bytes per call").isZero();
        } finally {
            framework.destroy();
        }
    }

    private static void invoke(UnconfiguredClusterInvoker<Stall> invoker, RpcInvocation call) {
        for (int i = 0; i < CALLS; i++) {
            invoker.invoke(call);
        }
    }
}
