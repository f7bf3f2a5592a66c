// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.entry;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.url.component.ServiceConfigURL;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A call that stays home allocates nothing of its own, also while the policy changes a hundred times a second. */
@Tag("network")
class PolicySwapAllocationTest {

    private static final int CALLS = 200_000;

    private volatile boolean stopped;

    /** A service. */
    public interface Stall {

        /** Sells. */
        String sell(String item);
    }

    private static Map<String, String> keys(int number) {
        Map<String, String> keys = new HashMap<>();
        keys.put("highway.island", "zhejiang");
        keys.put("highway.gateways.dubbo", "127.0.0.1:9");
        keys.put("highway.islands.shanghai.tunnel", "dubbo");
        keys.put("highway.islands.shanghai.timeout", (number % 100 + 1) + "s");
        keys.put("highway.islands.beijing.tunnel", "dubbo");
        return keys;
    }

    private static Policy policy(int number) {
        return PolicyParser.parse(RawSettings.of(keys(number), "test"), "v" + number, null)
                .orElseThrow();
    }

    @Test
    void allocatesNothing_forACallThatStaysHome_whileThePolicyChanges() throws Exception {
        FrameworkModel framework = new FrameworkModel();
        try {
            ApplicationModel application = framework.newApplication();
            application.getApplicationConfigManager().setApplication(new ApplicationConfig("caller"));
            application.modelEnvironment().updateAppConfigMap(keys(0));
            HighwayRuntime runtime = HighwayRuntime.of(application);
            URL url = new ServiceConfigURL(
                            "consumer",
                            "127.0.0.1",
                            0,
                            Stall.class.getName(),
                            Map.of("interface", Stall.class.getName()))
                    .setScopeModel(application.getDefaultModule());
            HighwayClusterInvoker<Stall> invoker =
                    new HighwayClusterInvoker<>(new StubHome<>(url, Stall.class), runtime);
            RpcInvocation call = new RpcInvocation(
                    (ServiceModel) null,
                    "sell",
                    Stall.class.getName(),
                    "",
                    new Class<?>[] {String.class},
                    new Object[] {"tea"});
            invoke(invoker, call);
            CountDownLatch swapped = new CountDownLatch(100);
            Thread swapping = new Thread(() -> swap(runtime, swapped));
            swapping.start();
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

            long calls = 0;
            long before = threads.getCurrentThreadAllocatedBytes();
            while (swapped.getCount() > 0) {
                invoke(invoker, call);
                calls += CALLS;
            }
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            stopped = true;
            swapping.join(TimeUnit.SECONDS.toMillis(20));

            assertThat((double) allocated / calls).as("bytes per call").isLessThan(0.01);
        } finally {
            stopped = true;
            framework.destroy();
        }
    }

    private void swap(HighwayRuntime runtime, CountDownLatch swapped) {
        try {
            for (int i = 0; !stopped; i++) {
                runtime.swap(policy(i));
                swapped.countDown();
                TimeUnit.MILLISECONDS.sleep(10);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void invoke(HighwayClusterInvoker<Stall> invoker, RpcInvocation call) {
        for (int i = 0; i < CALLS; i++) {
            invoker.invoke(call);
        }
    }
}
