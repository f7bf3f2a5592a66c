// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.Caller;
import io.highway.sdk.Highway;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.AsyncContext;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A service in shanghai may not call on to beijing, as {@code max-hops} is 1 there, whichever thread it tries from. */
@Tag("network")
class HopsOnOtherThreadsTest {

    private static final ExecutorService POOL = Executors.newFixedThreadPool(2);
    private static final Map<Tunnel, Shop> SHOPS = new EnumMap<>(Tunnel.class);
    private static Star star;
    private static Broker broker;
    private static Feed feed;

    /** How the service comes to call on. */
    private enum Handover {
        SERVING_THREAD {
            @Override
            CompletableFuture<String> goOn(Broker broker, Supplier<String> call) {
                return CompletableFuture.completedFuture(call.get());
            }
        },
        HIGHWAY_WRAP {
            @Override
            CompletableFuture<String> goOn(Broker broker, Supplier<String> call) {
                return CompletableFuture.supplyAsync(Highway.wrapSupplier(call), POOL);
            }
        },
        DUBBOS_ASYNC_CONTEXT {
            @Override
            CompletableFuture<String> goOn(Broker broker, Supplier<String> call) {
                AsyncContext context = RpcContext.startAsync();
                POOL.execute(() -> {
                    context.signalContextSwitch();
                    try {
                        context.write(call.get());
                    } catch (RuntimeException e) {
                        context.write(e);
                    } finally {
                        context.resetContext();
                    }
                });
                return null;
            }
        },
        DUBBOS_CONTEXT_RESTORED {
            @Override
            CompletableFuture<String> goOn(Broker broker, Supplier<String> call) {
                RpcContext.RestoreContext context = new RpcContext.RestoreContext();
                return CompletableFuture.supplyAsync(
                        () -> {
                            context.restore();
                            try {
                                return call.get();
                            } finally {
                                RpcContext.removeContext();
                            }
                        },
                        POOL);
            }
        },
        CALLBACK_OF_A_HOME_CALL {
            @Override
            CompletableFuture<String> goOn(Broker broker, Supplier<String> call) {
                return broker.home.sellLater("first").thenApply(any -> call.get());
            }
        };

        abstract CompletableFuture<String> goOn(Broker broker, Supplier<String> call);
    }

    /** The service in shanghai; {@code sellLater} receives the kind of further call. */
    private static final class Broker extends ForwardingShop implements Feed {

        private Shop home;

        private String onward() {
            return Highway.to("beijing").call(() -> home.sell("tea"));
        }

        @Override
        public String sell(String item) {
            return onward();
        }

        @Override
        public CompletableFuture<String> sellLater(String handover) {
            return Handover.valueOf(handover).goOn(this, this::onward);
        }

        @Override
        public void count(Integer to, StreamObserver<String> answers) {
            throw new UnsupportedOperationException();
        }

        @Override
        public StreamObserver<String> join(StreamObserver<String> answers) {
            return new StreamObserver<>() {
                @Override
                public void onNext(String text) {
                    answers.onNext(Highway.caller().map(Caller::island).orElse("nobody") + ": "
                            + catchThrowable(Broker.this::onward));
                }

                @Override
                public void onError(Throwable error) {
                    answers.onError(error);
                }

                @Override
                public void onCompleted() {
                    answers.onNext(Highway.caller().map(Caller::island).orElse("nobody") + " at the end");
                    answers.onCompleted();
                }
            };
        }

        @Override
        public StreamObserver<String> sum(StreamObserver<Integer> answer) {
            throw new UnsupportedOperationException();
        }
    }

    @BeforeAll
    static void start() {
        star = new Star();
        broker = new Broker();
        TestApplication shanghai = star.closing(new TestApplication(
                "shanghai", star.properties(Tunnel.TRIPLE, "highway.island", "shanghai", "highway.max-hops", "1")));
        String dubbo = shanghai.listen("dubbo");
        String triple = shanghai.listen("tri");
        shanghai.export(Shop.class, broker, service -> {})
                .export(Feed.class, broker, service -> service.setProtocolIds("tri"))
                .start();
        broker.home = shanghai.reference(Shop.class, config -> config.setUrl("dubbo://" + star.shanghai.dubboAddress))
                .get();
        Gateway gateway = star.closing(Gateway.start(GatewayConfig.builder()
                .island("shanghai")
                .listen("gateway2.shanghai.test", 0)
                .providers("shanghai", "*", List.of(dubbo), List.of(triple))
                .build()));
        for (Tunnel tunnel : Tunnel.values()) {
            Map<String, String> properties = star.properties(
                    tunnel,
                    "highway.islands.shanghai.gateways." + tunnel.key(),
                    "gateway2.shanghai.test:" + gateway.port());
            SHOPS.put(
                    tunnel,
                    Highway.to("shanghai").bind(Shop.class, star.reference(Shop.class, properties, config -> {})));
            if (tunnel == Tunnel.TRIPLE) {
                feed = Highway.to("shanghai")
                        .bind(Feed.class, star.reference(Feed.class, properties, config -> config.setCheck(false)));
            }
        }
    }

    @AfterAll
    static void stop() {
        star.close();
        POOL.shutdown();
    }

    @AfterEach
    void forget() {
        star.shanghai.shop.received.clear();
        star.beijing.shop.received.clear();
    }

    static Stream<Arguments> tunnelsAndWays() {
        return Stream.of(Tunnel.values())
                .flatMap(tunnel -> Stream.of(Handover.values()).map(handover -> Arguments.of(tunnel, handover)));
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndWays")
    void countsTheHops(Tunnel tunnel, Handover handover) {
        Throwable refused = catchThrowable(
                () -> SHOPS.get(tunnel).sellLater(handover.name()).get(20, TimeUnit.SECONDS));

        assertThat(refused).hasStackTraceContaining("too-many-hops");
        assertThat(star.beijing.shop.received).isEmpty();
        assertThat(star.shanghai.shop.received)
                .as("nothing of the count is sent to home's own services")
                .allSatisfy(received ->
                        assertThat(received.attachments().keySet()).noneMatch(key -> key.startsWith("highway-")));
    }

    @Test
    void countsTheHops_whenAMessageOfAStreamArrives() throws Exception {
        CompletableFuture<String> answers = new CompletableFuture<>();
        StringBuilder all = new StringBuilder();
        StreamObserver<String> requests = feed.join(new StreamObserver<>() {
            @Override
            public void onNext(String answer) {
                all.append(answer).append('\n');
            }

            @Override
            public void onError(Throwable error) {
                answers.completeExceptionally(error);
            }

            @Override
            public void onCompleted() {
                answers.complete(all.toString());
            }
        });

        requests.onNext("tea");
        requests.onCompleted();

        assertThat(answers.get(20, TimeUnit.SECONDS))
                .startsWith("zhejiang: ")
                .contains("too-many-hops")
                .endsWith("zhejiang at the end\n");
        assertThat(star.beijing.shop.received).isEmpty();
    }
}
