// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Caller;
import io.highway.sdk.IslandResolver;
import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.GuardListener;
import io.highway.sdk.dubbo.GuardListener.GuardEvent;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.HighwayReport.Gateway;
import io.highway.sdk.dubbo.HighwayReport.Island;
import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.OutcomeListener;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.ReplayStore;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.call.CanonicalMethod;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.dubbo.internal.provider.guard.GuardProtocolWrapper;
import io.highway.sdk.dubbo.internal.signature.SignatureService;
import io.highway.tools.fixtures.ports.FreePorts;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.config.annotation.DubboReference;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.health.HealthContributorRegistry;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What an application adds by beans, and what it sees of its calls. */
@Tag("network")
class ExtensionBeansTest {

    private static Star star;
    private static ConfigurableApplicationContext context;

    @Configuration
    @EnableAutoConfiguration
    static class Application {

        private final List<GuardEvent> refusals = new CopyOnWriteArrayList<>();
        private final Queue<CallOutcome> outcomes = new ConcurrentLinkedQueue<>();
        private final Queue<String> heartbeats = new ConcurrentLinkedQueue<>();
        private final Queue<String> signatures = new ConcurrentLinkedQueue<>();

        @DubboReference(check = false)
        private Sms sms;

        @Bean
        IslandResolver byPrefix() {
            return key -> {
                if (key.equals("broken")) {
                    throw new IllegalStateException("no table");
                }
                return key.startsWith("sh-") ? "shanghai" : null;
            };
        }

        @Bean
        OutcomeListener outcomes() {
            return (outcome, invocation) -> outcomes.add(outcome);
        }

        @Bean
        NetworkListener heartbeats() {
            return new NetworkListener() {
                @Override
                public void onHealthCheck(HealthCheck check) {
                    if (check.isAnswered()) {
                        heartbeats.add(check.island());
                    }
                }
            };
        }

        @Bean
        ReplayStore signatures() {
            return (id, keep) -> signatures.add(id);
        }

        @Bean
        GuardListener refusals() {
            return refusals::add;
        }

        @Bean
        HighwayCustomizer beijingKeys() {
            return setup -> setup.set("highway.islands.beijing.keys", "110000");
        }

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }
    }

    @BeforeAll
    static void start() {
        star = new Star();
        context = star.start(
                Application.class,
                "management.endpoints.web.exposure.include=*",
                "highway.sign.accept.beijing=s3cr3t",
                "highway.islands.guangdong.gateways.dubbo=gateway.beijing.test:" + FreePorts.next());
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    private final Application application = context.getBean(Application.class);

    @BeforeEach
    void forget() {
        application.outcomes.clear();
    }

    @Test
    void asksTheResolver_thenTheConfiguration_thenTakesTheKeyItself() {
        assertThat(application.sms.sendTo("sh-42", "a")).isEqualTo("a in shanghai from zhejiang");
        assertThat(application.sms.sendTo("110000", "b")).isEqualTo("b in beijing from zhejiang");
        assertThat(application.sms.sendTo("shanghai", "c")).isEqualTo("c in shanghai from zhejiang");
    }

    @Test
    void asksTheReplayStore_aboutSignedCalls() {
        Policy caller = PolicyParser.parse(
                        RawSettings.of(
                                Map.of(
                                        "highway.island", "beijing",
                                        "highway.sign.key-id", "beijing",
                                        "highway.sign.secret", "s3cr3t"),
                                "test"),
                        "static",
                        null)
                .orElseThrow();
        CanonicalMethod method = new CanonicalMethod("send", List.of());
        String sign = SignatureService.of(caller, null)
                .signerTo("zhejiang")
                .sign("zhejiang", "beijing/shop/1", "Sms", method);

        HighwayRuntime.of(context.getBean(ApplicationModel.class))
                .signatures()
                .verifier()
                .verify("zhejiang", "beijing/shop/1", sign, null, "Sms", method);

        assertThat(application.signatures).singleElement().asString().startsWith("zhejiang/beijing/");
    }

    @Test
    void refusesTheCall_whenTheResolverFails() {
        assertThatThrownBy(() -> application.sms.sendTo("broken", "a"))
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.BAD_KEY);
                    assertThat(e.mayHaveRun()).isFalse();
                    assertThat(e)
                            .hasMessageContaining(
                                    "the island resolver failed: java.lang.IllegalStateException: no table");
                });
    }

    @Test
    void tellsTheListenerOfHeartbeats() {
        application.sms.sendTo("sh-42", "a");

        await().atMost(Duration.ofSeconds(15)).until(() -> application.heartbeats.contains("shanghai"));
    }

    @Test
    void tellsTheListenerOnceHowACallEnded() {
        application.sms.sendTo("sh-42", "a");

        assertThat(application.outcomes).singleElement().satisfies(outcome -> {
            assertThat(outcome.call()).isEqualTo(Sms.class.getName() + "#sendTo");
            assertThat(outcome.island()).isEqualTo("shanghai");
            assertThat(outcome.outcome()).isEqualTo(Outcome.DELIVERED);
            assertThat(outcome.tunnel()).hasToString("dubbo");
            assertThat(outcome.reason()).isNull();
            assertThat(outcome.duration()).isPositive();
        });
    }

    @Test
    void tellsListenerAndMeterWhatTheGuardRefuses() {
        RpcInvocation astray = new RpcInvocation(
                (ServiceModel) null, "sendTo", Sms.class.getName(), "", new Class<?>[0], new Object[0]);
        astray.setAttachment("highway-island", "elsewhere");
        astray.setAttachment("highway-from", "beijing/shop/1");
        URL url = URL.valueOf("dubbo://127.0.0.1:1/" + Sms.class.getName())
                .setScopeModel(context.getBean(ApplicationModel.class));
        Invoker<?> service = (Invoker<?>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Invoker.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getUrl" -> url;
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> throw new AssertionError("a refused call does not reach it: " + method);
                });

        AtomicReference<Invoker<?>> guarded = new AtomicReference<>();
        Protocol server = (Protocol) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Protocol.class}, (proxy, method, arguments) -> {
                    guarded.set((Invoker<?>) arguments[0]);
                    return null;
                });
        new GuardProtocolWrapper(server).export(service);

        guarded.get().invoke(astray);

        assertThat(application.refusals).singleElement().satisfies(event -> {
            assertThat(event.result()).isEqualTo(GuardListener.Result.REFUSED);
            assertThat(event.reason()).isEqualTo("wrong-island");
            assertThat(event.caller()).isEqualTo(Caller.of("beijing", "shop"));
        });
        assertThat(context.getBean(MeterRegistry.class)
                        .get("highway.guard")
                        .tags("result", "refused", "reason", "wrong-island")
                        .counter()
                        .count())
                .isOne();
    }

    @Test
    void countsCallsByIslandTunnelAndOutcome() {
        MeterRegistry meters = context.getBean(MeterRegistry.class);
        String[] delivered = {"island", "beijing", "tunnel", "dubbo", "outcome", "delivered"};
        long before = count(meters, delivered);

        application.sms.sendTo("beijing", "a");
        assertThatThrownBy(() -> application.sms.sendTo("tokyo", "a")).isInstanceOf(HighwayException.class);

        assertThat(count(meters, delivered)).isEqualTo(before + 1);
        assertThat(count(meters, "island", "other", "tunnel", "none", "outcome", "refused"))
                .isPositive();
    }

    private static long count(MeterRegistry meters, String... tags) {
        var timer = meters.find("highway.calls").tags(tags).timer();
        return timer == null ? 0 : timer.count();
    }

    @Test
    void reportsSettingsAndTheirOrigin() {
        application.sms.sendTo("sh-42", "a");

        HighwayReport report =
                HighwayReport.of(context.getBean(ApplicationModel.class)).orElseThrow();

        assertThat(report.home()).isEqualTo("zhejiang");
        assertThat(report.gateways())
                .filteredOn(Gateway::home)
                .extracting(Gateway::tunnel, Gateway::state)
                .containsExactly(tuple(TunnelKind.DUBBO, Gateway.State.UP));
        Island shanghai = report.islands().get("shanghai");
        assertThat(shanghai.tunnel()).isEqualTo(TunnelKind.DUBBO);
        assertThat(shanghai.settings().get("timeout").value()).isEqualTo("5s");
        assertThat(shanghai.settings().get("timeout").key()).isEqualTo("highway.defaults.timeout");
        assertThat(shanghai.settings().get("timeout").origin()).isEqualTo("defaultProperties");
        assertThat(shanghai.settings().get("retries").key()).isNull();
        assertThat(shanghai.settings().get("retries").origin()).isEqualTo("default");
        assertThat(shanghai.lastOutcome().outcome()).isEqualTo(Outcome.DELIVERED);
        assertThat(report.islands().get("beijing").settings().get("keys").origin())
                .isEqualTo("customizer");
    }

    @Test
    void staysHealthy_andReportsTheUnreachableIsland() {
        application.sms.sendTo("sh-42", "a"); // until then shanghai is UNKNOWN
        HealthIndicator health = (HealthIndicator)
                context.getBean(HealthContributorRegistry.class).getContributor("highway");

        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        assertThat(health.health().getDetails().get("islands"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("shanghai", Map.of("status", "UP", "tunnel", "dubbo"))
                .extractingByKey("guangdong")
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("status", "DEGRADED")
                .containsEntry("tunnel", "none")
                .containsEntry("cause", "no-endpoint")
                .extractingByKey("endpoints", InstanceOfAssertFactories.LIST)
                .singleElement(InstanceOfAssertFactories.MAP)
                .extractingByKey("gateway", InstanceOfAssertFactories.STRING)
                .startsWith("gateway.beijing.test:");
    }
}
