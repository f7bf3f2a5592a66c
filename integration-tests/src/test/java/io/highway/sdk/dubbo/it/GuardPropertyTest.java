// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.dubbo.internal.call.CanonicalMethod;
import io.highway.sdk.dubbo.internal.signature.CallSigner;
import io.highway.sdk.dubbo.it.GuardedCallbacksTest.Ticker;
import io.highway.sdk.dubbo.it.GuardedCallbacksTest.Watcher;
import io.highway.tools.fixtures.logs.CapturedLog;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.EchoService;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One property of every provider: a call that is neither signed nor known as home is not executed, unless the
 * configuration demands nothing of it. Real providers and callers, over all combinations of what decides about a call.
 */
@Tag("network")
class GuardPropertyTest {

    private static final long SEED = 30;
    private static final int CASES = 1000;

    /** Direct callers connect from 127.0.0.1, and those of the gateway from 127.0.0.2. */
    private enum Ingress {
        NONE,
        GATEWAYS("highway.guard.gateways", "127.0.0.2"),
        GATEWAYS_AND_HOME("highway.guard.gateways", "127.0.0.2", "highway.guard.home", "127.0.0.0/8"),
        NAMES("highway.guard.gateways", "gateway.shanghai.test"),
        REQUIRED("highway.guard.require", "headers"),
        REQUIRED_SIGNATURE("highway.guard.require", "signature");

        private final List<String> keys;

        Ingress(String... keys) {
            this.keys = List.of(keys);
        }

        /** Whether a caller is known as home by its address. */
        boolean isHome(boolean isDirect) {
            return isDirect && (this == GATEWAYS || this == GATEWAYS_AND_HOME);
        }

        /** Whether a call without route headers passes; a guard that demands nothing takes every caller for home. */
        boolean passes(boolean isDirect) {
            return this == NONE || isHome(isDirect) || (this == NAMES && !isDirect);
        }
    }

    /** The headers of a call. */
    private enum Headers {
        NONE,
        UNSIGNED,
        SIGNED,
        REPLAYED,
        SIGNED_BY_A_STRANGER,
        PASSED_ON,
        PASSED_ON_AND_SIGNED,
        PASSED_ON_AND_REPLAYED
    }

    /** An island with its gateway. The services of the group {@code bare} have none of Dubbo's usual filters. */
    private static final class Provider implements AutoCloseable {

        private final Ingress ingress;
        private final boolean isShadow;

        /** Whether signatures are demanded. */
        private final boolean isSigned;

        private final ShopKeeper shop = new ShopKeeper("shanghai");
        private final Map<Tunnel, String> addresses = new EnumMap<>(Tunnel.class);
        private final TestApplication application;
        private final Gateway gateway;

        Provider(Ingress ingress, boolean isShadow, boolean isSigned) {
            this(ingress, isShadow, isSigned, "enforce");
        }

        Provider(Ingress ingress, boolean isShadow, boolean accepts, String signMode) {
            this.ingress = ingress;
            this.isShadow = isShadow;
            this.isSigned = accepts && signMode.equals("enforce");
            Map<String, String> keys = new HashMap<>(
                    Map.of("highway.island", "shanghai", "highway.guard.mode", isShadow ? "shadow" : "enforce"));
            for (int i = 0; i < ingress.keys.size(); i += 2) {
                keys.put(ingress.keys.get(i), ingress.keys.get(i + 1));
            }
            if (accepts) {
                keys.putAll(Map.of(
                        "highway.sign.accept.zj",
                        "s",
                        "highway.sign.accept-from.zj",
                        "zhejiang/*",
                        "highway.sign.mode",
                        signMode));
            }
            application = new TestApplication("shanghai", keys);
            addresses.put(Tunnel.DUBBO, application.listen("dubbo"));
            addresses.put(Tunnel.TRIPLE, application.listen("tri"));
            for (String group : GROUPS) {
                String filter = group.equals("bare") ? "-default,generic,echo" : "";
                application.export(Shop.class, shop, service -> {
                    service.setGroup(group);
                    service.setFilter(filter);
                });
                application.export(Feed.class, new SellingFeed(shop), service -> {
                    service.setGroup(group);
                    service.setFilter(filter);
                });
                application.export(Ticker.class, (item, watcher) -> shop.sell(item), service -> {
                    GuardedCallbacksTest.withCallback(service);
                    service.setGroup(group);
                    service.setFilter(filter);
                });
            }
            application.start();
            gateway = Gateway.start(GatewayConfig.builder()
                    .island("shanghai")
                    .listen("gateway.shanghai.test", 0)
                    .source("127.0.0.2")
                    .withoutIsland("shanghai")
                    .providers(
                            "shanghai",
                            "*",
                            List.of(addresses.get(Tunnel.DUBBO)),
                            List.of(addresses.get(Tunnel.TRIPLE)))
                    .build());
        }

        String url(Tunnel tunnel, boolean isDirect) {
            return (tunnel == Tunnel.DUBBO ? "dubbo://" : "tri://")
                    + (isDirect ? addresses.get(tunnel) : "gateway.shanghai.test:" + gateway.port());
        }

        @Override
        public void close() {
            gateway.closeNow();
            application.close();
        }
    }

    /** Streams count as calls of the shop. */
    private static final class SellingFeed extends ShopKeeper {

        private final Shop shop;

        SellingFeed(Shop shop) {
            super("shanghai");
            this.shop = shop;
        }

        @Override
        public void count(Integer to, StreamObserver<String> answers) {
            shop.sell("tea");
            super.count(to, answers);
        }
    }

    private record Case(Provider to, Tunnel tunnel, boolean isDirect, String group, String form, Headers headers) {

        /** The oracle. */
        boolean mayRun() {
            boolean passes = to.isShadow || to.ingress.passes(isDirect);
            if (form.equals("HTTP/1.1") && !passes) { // on a Triple port it carries no route headers
                return false;
            }
            return switch (headers) {
                case NONE, PASSED_ON_AND_SIGNED -> passes;
                case PASSED_ON, PASSED_ON_AND_REPLAYED -> to.isSigned ? to.ingress.isHome(isDirect) : passes;
                case SIGNED -> true;
                case UNSIGNED, REPLAYED, SIGNED_BY_A_STRANGER -> !to.isSigned;
            };
        }

        @Override
        public String toString() {
            return to.ingress + (to.isShadow ? " shadow" : " enforce") + (to.isSigned ? " signed, " : ", ") + tunnel
                    + (isDirect ? " direct, " : " by the gateway, ") + group + ", " + form + ", " + headers;
        }

        private CanonicalMethod method() {
            return switch (form) {
                case "ECHO" -> new CanonicalMethod("$echo", List.of("java.lang.Object"));
                case "CALLBACK" -> new CanonicalMethod("watch", List.of("java.lang.String", Watcher.class.getName()));
                case "STREAM" -> new CanonicalMethod("count", List.of("java.lang.Integer"));
                case "COMPLETABLE_FUTURE" -> new CanonicalMethod("sellLater", List.of("java.lang.String"));
                default -> new CanonicalMethod("sell", List.of("java.lang.String"));
            };
        }

        private Map<String, String> attachments() {
            if (headers == Headers.NONE) {
                return Map.of();
            }
            boolean isPassedOn = headers.name().startsWith("PASSED_ON");
            String from = isPassedOn ? "zhejiang/another/1" : "zhejiang/zhejiang-app/1";
            Map<String, String> all = new HashMap<>(Map.of("highway-island", "shanghai", "highway-from", from));
            if (headers != Headers.UNSIGNED && headers != Headers.PASSED_ON) {
                CallSigner by = headers == Headers.SIGNED_BY_A_STRANGER ? stranger : signer;
                String name = serviceOf(form).getName();
                String service = group.isEmpty() ? name : group + "/" + name;
                all.put("highway-sign", by.sign("shanghai", from, service, method()));
            }
            return all;
        }

        private static Class<?> serviceOf(String form) {
            return switch (form) {
                case "CALLBACK" -> Ticker.class;
                case "STREAM" -> Feed.class;
                default -> Shop.class;
            };
        }

        /** How often it ran. */
        int run() throws Exception {
            Map<String, String> attachments = attachments();
            if (headers.name().endsWith("REPLAYED")) {
                call(attachments);
            }
            to.shop.received.clear();
            boolean isEchoed = call(attachments);
            return to.shop.received.size() + (isEchoed ? 1 : 0);
        }

        /** Whether it was answered as an echo is. */
        private boolean call(Map<String, String> attachments) throws Exception {
            if (form.equals("HTTP/1.1")) {
                HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(
                                "http://" + to.addresses.get(Tunnel.TRIPLE) + "/" + Shop.class.getName() + "/sell"))
                        .header("content-type", "application/json")
                        .header("tri-consumer-appname", "zhejiang-app")
                        .header("tri-service-group", group)
                        .POST(HttpRequest.BodyPublishers.ofString("[\"tea\"]"));
                attachments.forEach(request::header);
                HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
                return false;
            }
            References refs = references.computeIfAbsent(
                    to.url(tunnel, isDirect) + group, any -> References.of(to.url(tunnel, isDirect), group));
            attachments.forEach(RpcContext.getClientAttachment()::setAttachment);
            try {
                if (form.equals("ECHO")) {
                    return "tea".equals(((EchoService) refs.typed).$echo("tea"));
                }
                if (form.equals("CALLBACK")) {
                    refs.ticker.watch("tea", item -> {});
                    return false;
                }
                if (form.equals("STREAM")) {
                    Collected<String> answers = new Collected<>();
                    refs.feed.count(1, answers);
                    answers.all();
                    return false;
                }
                Mode.valueOf(form).sell(refs.typed, refs.generic, "tea");
            } catch (Throwable refused) { // what ran is counted
                return false;
            } finally {
                RpcContext.removeContext();
            }
            return false;
        }
    }

    /** The references of the caller to an address. */
    private record References(Shop typed, GenericService generic, Ticker ticker, Feed feed) {

        static References of(String url, String group) {
            return new References(
                    caller.reference(Shop.class, config -> {
                                config.setUrl(url);
                                config.setGroup(group);
                            })
                            .get(),
                    caller.reference(GenericService.class, config -> {
                                config.setUrl(url);
                                config.setGroup(group);
                                config.setInterface(Shop.class.getName());
                                config.setGeneric("true");
                            })
                            .get(),
                    caller.reference(Ticker.class, config -> {
                                config.setUrl(url + GuardedCallbacksTest.WATCHED);
                                config.setGroup(group);
                            })
                            .get(),
                    caller.reference(Feed.class, config -> {
                                config.setUrl(url);
                                config.setGroup(group);
                            })
                            .get());
        }
    }

    private static final List<String> GROUPS = List.of("", "bare");
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static final List<AutoCloseable> opened = new ArrayList<>();
    private static final List<Provider> providers = new ArrayList<>();
    private static final Map<String, References> references = new HashMap<>();
    private static TestApplication caller;
    private static CallSigner signer;
    private static CallSigner stranger;

    @BeforeAll
    static void start() {
        providers.add(keep(new Provider(Ingress.NONE, false, true)));
        providers.add(keep(new Provider(Ingress.NONE, true, true)));
        providers.add(keep(new Provider(Ingress.GATEWAYS, true, true)));
        providers.add(keep(new Provider(Ingress.GATEWAYS, false, false)));
        providers.add(keep(new Provider(Ingress.GATEWAYS_AND_HOME, false, true)));
        try (CapturedLog log = new CapturedLog()) {
            providers.add(keep(new Provider(Ingress.NAMES, true, true)));
            providers.add(keep(new Provider(Ingress.NAMES, false, true)));
            await().until(() -> log.ofSdk("the gateway gateway.shanghai.test", "has the addresses")
                            .size()
                    == 2);
        }
        providers.add(keep(new Provider(Ingress.REQUIRED, false, true)));
        providers.add(keep(new Provider(Ingress.REQUIRED_SIGNATURE, false, true)));
        providers.add(keep(new Provider(Ingress.GATEWAYS, false, true, "shadow")));
        providers.add(keep(new Provider(Ingress.REQUIRED, true, true, "shadow")));
        caller = keep(new TestApplication("zhejiang", Map.of("highway.enabled", "false")));
        signer = signer("s");
        stranger = signer("guessed");
    }

    private static CallSigner signer(String secret) {
        return TestSigner.of("zhejiang", "zj", secret);
    }

    private static <C extends AutoCloseable> C keep(C one) {
        opened.add(0, one);
        return one;
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    private static List<Case> cases() {
        List<String> forms = new ArrayList<>(List.of("ECHO", "CALLBACK", "STREAM"));
        for (Mode mode : Mode.values()) {
            forms.add(mode.name());
        }
        if (Version.getVersion().startsWith("3.3")) {
            forms.add("HTTP/1.1");
        }
        List<Case> all = new ArrayList<>();
        for (Provider to : providers) {
            for (Tunnel tunnel : Tunnel.values()) {
                for (boolean isDirect : new boolean[] {true, false}) {
                    for (String group : GROUPS) {
                        for (String form : forms) {
                            boolean isBare = group.equals("bare"); // by HTTP Dubbo calls any group without one
                            boolean exists =
                                    switch (form) {
                                        case "HTTP/1.1" -> tunnel == Tunnel.TRIPLE && isDirect && isBare;
                                        case "STREAM" -> tunnel == Tunnel.TRIPLE;
                                        case "CALLBACK" -> tunnel == Tunnel.DUBBO;
                                        default -> true;
                                    };
                            for (Headers headers : exists ? Headers.values() : new Headers[0]) {
                                all.add(new Case(to, tunnel, isDirect, group, form, headers));
                            }
                        }
                    }
                }
            }
        }
        Collections.shuffle(all, new Random(SEED));
        return all.subList(0, Math.min(CASES, all.size()));
    }

    @Test
    void executesNoCall_thatIsNeitherSignedNorKnownAsHome() throws Exception {
        List<String> wrong = new ArrayList<>();
        int ran = 0;

        for (Case each : cases()) {
            int times = each.run();
            ran += times;
            if (times != (each.mayRun() ? 1 : 0)) {
                wrong.add(each + " ran " + times + " times");
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(ran).isBetween(CASES / 5, CASES - CASES / 5);
    }
}
