// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.dubbo.config.ArgumentConfig;
import org.apache.dubbo.config.MethodConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls with a callback argument, which only the Dubbo protocol has, pass the guard as others do. */
@Tag("network")
class GuardedCallbacksTest {

    /** A service that calls back. */
    public interface Ticker {

        String watch(String item, Watcher watcher);
    }

    /** What is called back. */
    public interface Watcher {

        void sold(String item);
    }

    /**
     * Parameters of a reference's URL. With another one of the method: Dubbo looks for callbacks of methods that have one
     * (URLParam, 3.3.6).
     */
    static final String WATCHED = "?watch.1.callback=true&watch.timeout=3000&serialization=hessian2";

    private final List<String> watched = new CopyOnWriteArrayList<>();
    private final List<String> sold = new CopyOnWriteArrayList<>();

    @Test
    void withoutASignature_areNotExecuted_exceptFromHome() {
        try (TestApplication shanghai = new TestApplication(
                "shanghai",
                Map.of(
                        "highway.island", "shanghai",
                        "highway.guard.gateways", "127.0.0.2",
                        "highway.sign.accept.zj", "0123456789abcdef0123456789abcdef"))) {
            String address = shanghai.listen("dubbo");
            shanghai.export(
                            Ticker.class,
                            (item, watcher) -> {
                                watched.add(item);
                                watcher.sold(item);
                                return "watching " + item;
                            },
                            GuardedCallbacksTest::withCallback)
                    .start();
            try (Gateway gateway = Gateway.start(GatewayConfig.builder()
                            .island("shanghai")
                            .listen("gateway.shanghai.test", 0)
                            .source("127.0.0.2")
                            .withoutIsland("shanghai")
                            .providers("shanghai", "*", List.of(address), List.of())
                            .build());
                    TestApplication caller = new TestApplication("zhejiang", Map.of("highway.enabled", "false"))) {
                Ticker home = ticker(caller, address);
                Ticker throughGateway = ticker(caller, "gateway.shanghai.test:" + gateway.port());

                assertThat(home.watch("tea", sold::add)).isEqualTo("watching tea");
                await().untilAsserted(() -> assertThat(sold).containsExactly("tea"));
                for (Map<String, String> headers : List.of(
                        Map.<String, String>of(),
                        Map.of("highway-island", "shanghai", "highway-from", "zhejiang/zhejiang-app/1"),
                        Map.of("highway-island", "shanghai", "highway-from", "zhejiang/another/1"))) {
                    headers.forEach(RpcContext.getClientAttachment()::setAttachment);
                    assertThat(catchThrowable(() -> throughGateway.watch("silk", sold::add)))
                            .isNotNull();
                }
                assertThat(watched).containsExactly("tea");
                assertThat(sold).containsExactly("tea");
            }
        }
    }

    private static Ticker ticker(TestApplication caller, String address) {
        return caller.reference(Ticker.class, config -> {
                    config.setUrl("dubbo://" + address + WATCHED);
                })
                .get();
    }

    static void withCallback(ServiceConfig<?> config) {
        ArgumentConfig watcher = new ArgumentConfig();
        watcher.setIndex(1);
        watcher.setCallback(true);
        MethodConfig watch = new MethodConfig();
        watch.setName("watch");
        watch.setArguments(List.of(watcher));
        config.setMethods(List.of(watch));
        config.setSerialization("hessian2"); // Dubbo 3.2 calls back in the service's, which its clients must expect
    }
}
