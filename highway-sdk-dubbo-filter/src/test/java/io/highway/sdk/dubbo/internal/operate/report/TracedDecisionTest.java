// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.HighwayScope;
import io.highway.sdk.Island;
import io.highway.sdk.IslandKey;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.HighwayExplain;
import io.highway.sdk.dubbo.HighwayExplain.Rule.Result;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.caller.route.IntentResolver;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecider;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.common.url.component.ServiceConfigURL;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ConsumerModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ModuleModel;
import org.apache.dubbo.rpc.model.ReflectionServiceDescriptor;
import org.apache.dubbo.rpc.model.ServiceMetadata;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An explanation is what a call does: random calls and policies, decided once as a call and once with traces. */
@Tag("any-dubbo")
class TracedDecisionTest {

    private static final int CALLS = 100_000;
    private static final int CALLS_PER_POLICY = 25;

    private static final List<String> ISLANDS = List.of("zhejiang", "shanghai", "beijing", "cloud", "bank");

    /** Values that code may ask for. */
    private static final List<String> ASKED =
            List.of("zhejiang", "shanghai", "beijing", "cloud", "bank", "nowhere", "Shanghai\n", "310115", "");

    interface Plain {
        String send(String text);
    }

    @Island(value = "shanghai", when = Island.When.HOME_ABSENT)
    interface Annotated {

        String send(String text);

        @Island("beijing")
        String send(int number);

        String keyed(@IslandKey @Nullable String province, String text);

        @Island("bank")
        String keyedAndAnnotated(@IslandKey("code") @Nullable Object order);

        @Island(value = "cloud", when = Island.When.HOME_ABSENT)
        void watch(String topic, StreamObserver<String> messages);

        void listen(Runnable callback);
    }

    private record Method(String name, Class<?>[] types) {}

    private record Reference(Class<?> type, URL url, IntentResolver intents, List<Method> methods) {}

    private static final List<Method> PLAIN = List.of(new Method("send", new Class<?>[] {String.class}));

    private static final List<Method> ANNOTATED = List.of(
            new Method("send", new Class<?>[] {String.class}),
            new Method("send", new Class<?>[] {int.class}),
            new Method("keyed", new Class<?>[] {String.class, String.class}),
            new Method("keyedAndAnnotated", new Class<?>[] {Object.class}),
            new Method("watch", new Class<?>[] {String.class, StreamObserver.class}),
            new Method("listen", new Class<?>[] {Runnable.class}));

    private static final FrameworkModel FRAMEWORK = new FrameworkModel();
    private static ModuleModel module;

    @BeforeAll
    static void start() {
        module = FRAMEWORK.newApplication().newModule();
    }

    @AfterAll
    static void stop() {
        FRAMEWORK.destroy();
    }

    @AfterEach
    void removeContext() {
        RpcContext.removeClientAttachment();
    }

    private static <T> T any(List<T> of, Random random) {
        return of.get(random.nextInt(of.size()));
    }

    private static Reference reference(Class<?> type, Map<String, String> parameters) {
        Map<String, String> all = new HashMap<>(parameters);
        all.put("interface", type.getName());
        URL url = new ServiceConfigURL("consumer", "", 0, type.getName(), all);
        ConsumerModel model = new ConsumerModel(
                url.getServiceKey(),
                null,
                new ReflectionServiceDescriptor(type),
                module,
                new ServiceMetadata(),
                Map.of(),
                type.getClassLoader());
        return new Reference(
                type,
                url.setServiceModel(model),
                IntentResolver.of(type, url),
                type == Plain.class ? PLAIN : ANNOTATED);
    }

    private static List<Reference> references() {
        List<Map<String, String>> parameters = List.of(
                Map.of(),
                Map.of("highway-island", "beijing"),
                Map.of("highway-island", "cloud", "highway-when", "home-absent"),
                Map.of("highway-island", "nowhere"),
                Map.of("group", "a,b"),
                Map.of("version", "*"),
                Map.of("group", "gray", "version", "1.0"),
                Map.of("cluster", "broadcast"),
                Map.of("listen.0.callback", "true"));
        return Stream.of(Plain.class, Annotated.class)
                .flatMap(type -> parameters.stream().map(each -> reference(type, each)))
                .toList();
    }

    private static Policy policy(Random random) {
        while (true) {
            Map<String, String> keys = new TreeMap<>();
            keys.put("highway.island", any(ISLANDS, random));
            maybe(keys, "highway.gateways.dubbo", "gateway:20880,other:20880", random);
            maybe(keys, "highway.gateways.triple", "gateway:50051", random);
            maybe(keys, "highway.max-hops", any(List.of("1", "2", "5"), random), random);
            for (String island : ISLANDS) {
                if (random.nextInt(3) > 0) {
                    String prefix = "highway.islands." + island + ".";
                    keys.put(prefix + "tunnel", any(List.of("dubbo", "triple", "auto"), random));
                    maybe(
                            keys,
                            prefix + "deny",
                            any(List.of("send", "*", "*Annotated#keyed*", "watch"), random),
                            random);
                    maybe(keys, prefix + "keys", any(List.of("31*", "310115", "*"), random), random);
                    maybe(
                            keys,
                            prefix + "served-by",
                            any(List.of("home", "home:1," + island + ":1", "beijing:0,shanghai:5", "shanghai"), random),
                            random);
                }
            }
            for (Class<?> type : List.of(Plain.class, Annotated.class)) {
                String prefix = "highway.services." + type.getName() + ".";
                if (random.nextBoolean()) {
                    keys.put(prefix + "island", any(ISLANDS, random));
                    maybe(keys, prefix + "when", "home-absent", random);
                } else {
                    maybe(keys, prefix + "require-island", "true", random);
                }
            }
            try {
                return PolicyParser.parse(RawSettings.of(keys, "test"), "7", key -> resolved(key))
                        .orElseThrow();
            } catch (HighwayConfigurationException e) {
                // contradictory keys: the next attempt
            }
        }
    }

    private static @Nullable String resolved(String key) {
        if (key.equals("310115")) {
            throw new IllegalStateException("no memory");
        }
        return key.equals("bank") ? "beijing" : null;
    }

    private static void maybe(Map<String, String> keys, String key, String value, Random random) {
        if (random.nextInt(3) == 0) {
            keys.put(key, value);
        }
    }

    /** One random call, which can be made several times. */
    private record RandomCall(
            Reference reference,
            Method method,
            Object[] arguments,
            @Nullable String attachment,
            @Nullable String scope,
            int hops,
            boolean homeHasProviders) {

        static RandomCall of(List<Reference> references, Random random) {
            Reference reference = any(references, random);
            Method method = any(reference.methods, random);
            Object[] arguments = new Object[method.types.length];
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = method.types[i] == String.class
                        ? random.nextInt(8) == 0 ? null : any(ASKED, random)
                        : method.types[i] == Object.class ? order(random) : null;
            }
            return new RandomCall(
                    reference,
                    method,
                    arguments,
                    random.nextInt(4) == 0 ? any(ASKED, random) : null,
                    random.nextInt(4) == 0 ? any(List.of("home", "shanghai", "nowhere", "zhejiang"), random) : null,
                    random.nextInt(4),
                    random.nextBoolean());
        }

        private static @Nullable Object order(Random random) {
            return switch (random.nextInt(4)) {
                case 0 -> null;
                case 1 -> Map.of();
                case 2 -> "no property";
                default -> Map.of("code", any(ASKED, random));
            };
        }

        DubboCall call() {
            RpcInvocation invocation = new RpcInvocation(
                    reference.url.getServiceModel(),
                    method.name,
                    reference.type.getName(),
                    reference.url.getServiceKey(),
                    method.types,
                    arguments.clone());
            return new DubboCall(invocation, reference.url);
        }

        <T> T inContext(Callable<T> code) throws Exception {
            RpcContext.removeClientAttachment();
            if (attachment != null) {
                RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, attachment);
            }
            if (scope == null) {
                return code.call();
            }
            try (HighwayScope opened = scope.equals("home")
                    ? Highway.home().open()
                    : Highway.to(scope).open()) {
                assertThat(opened).isNotNull();
                return code.call();
            }
        }
    }

    private record Decided(Intent intent, RouteDecision decision) {}

    @Test
    void explainEqualsDecide_forRandomCallsAndPolicies() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Reference> references = references();
        Map<String, Integer> seen = new TreeMap<>();
        Policy policy = policy(random);

        for (int i = 0; i < CALLS; i++) {
            policy = i % CALLS_PER_POLICY == 0 ? policy(random) : policy;
            Policy active = policy;
            RandomCall call = RandomCall.of(references, random);
            BooleanSupplier home = call::homeHasProviders;

            Decided decided = call.inContext(() -> {
                DubboCall real = call.call();
                Intent intent = call.reference.intents.resolve(real.invocation(), active);
                return new Decided(intent, RouteDecider.decide(real, intent, active, call.hops, home, bound -> 0));
            });
            TracedDecision traced = call.inContext(
                    () -> TracedDecision.of(call.reference.intents, call.call(), active, call.hops, home, true, null));

            if (!decided.decision.equals(traced.decision())
                    || !decided.intent.equals(traced.intent())
                    || !isConsistent(traced)) {
                throw new AssertionError("seed " + seed + ", call " + i + " " + call + ": decided " + decided
                        + ", explained " + traced.intent() + " " + traced.decision() + " " + traced.sources()
                        + traced.rules());
            }
            seen.merge(stop(traced) + " " + traced.intent().source(), 1, Integer::sum);
        }

        assertThat(rulesSeen(seen)).as("rules that decided, seed " + seed).hasSize(11);
        assertThat(sourcesSeen(seen))
                .as("sources that were followed, seed " + seed)
                .hasSize(8);
    }

    /** One source is followed, the first that says something; rules pass until one stops. */
    private static boolean isConsistent(TracedDecision traced) {
        List<HighwayExplain.Source> sources = traced.sources();
        HighwayExplain.Source first = sources.stream()
                .filter(source -> source.asked() != null || source.problem() != null)
                .findFirst()
                .orElseThrow();
        List<Result> results =
                traced.rules().stream().map(HighwayExplain.Rule::result).toList();
        int stop = results.indexOf(Result.STOP);
        return sources.stream().filter(HighwayExplain.Source::chosen).toList().equals(List.of(first))
                && results.subList(0, stop).stream().allMatch(result -> result == Result.PASS)
                && results.subList(stop + 1, results.size()).stream().allMatch(result -> result == Result.NOT_REACHED)
                && TracedDecision.why(traced.decision())
                        .equals(traced.rules().get(stop).why());
    }

    private static String stop(TracedDecision traced) {
        return traced.rules().stream()
                .filter(rule -> rule.result() == Result.STOP)
                .findFirst()
                .orElseThrow()
                .rule();
    }

    private static Set<String> rulesSeen(Map<String, Integer> seen) {
        return column(seen, 0);
    }

    private static Set<String> sourcesSeen(Map<String, Integer> seen) {
        return column(seen, 1);
    }

    private static Set<String> column(Map<String, Integer> seen, int index) {
        Set<String> column = new TreeSet<>();
        seen.keySet().forEach(key -> column.add(key.split(" ", -1)[index]));
        return column;
    }

    @Test
    void asksEverySource_alsoAfterTheFirstAnswer() throws Exception {
        Policy policy = PolicyParser.parse(
                        RawSettings.of(
                                Map.of(
                                        "highway.island",
                                        "zhejiang",
                                        "highway.gateways.dubbo",
                                        "gateway:20880",
                                        "highway.islands.cloud.tunnel",
                                        "auto",
                                        "highway.services." + Annotated.class.getName() + ".island",
                                        "cloud"),
                                "test"),
                        "7",
                        null)
                .orElseThrow();
        Reference reference = reference(Annotated.class, Map.of("highway-island", "beijing"));
        RandomCall call = new RandomCall(
                reference, ANNOTATED.get(3), new Object[] {Map.of("code", "310000")}, "cloud", "home", 0, true);

        TracedDecision traced = call.inContext(
                () -> TracedDecision.of(reference.intents, call.call(), policy, 0, () -> true, true, null));

        assertThat(traced.sources())
                .extracting(source -> source.source().word(), HighwayExplain.Source::asked)
                .map(tuple -> tuple.toList())
                .containsExactly(
                        List.of("attachment", "cloud"),
                        List.of("scope", "home"),
                        List.of("key", "310000"),
                        List.of("method", "bank"),
                        List.of("reference", "beijing"),
                        List.of("interface", "shanghai"),
                        List.of("configuration", "cloud"),
                        List.of("none", "home"));
        assertThat(traced.sources()).filteredOn(HighwayExplain.Source::chosen).hasSize(1);
        assertThat(traced.intent().asked()).isEqualTo("cloud");
    }

    @Test
    void usesTheGivenKey_whereAnArgumentIsTheKey_andNeedsOne() throws Exception {
        Policy policy = PolicyParser.parse(
                        RawSettings.of(
                                Map.of(
                                        "highway.island",
                                        "zhejiang",
                                        "highway.gateways.dubbo",
                                        "gateway:20880",
                                        "highway.islands.cloud.keys",
                                        "31*"),
                                "test"),
                        "7",
                        null)
                .orElseThrow();
        Reference reference = reference(Annotated.class, Map.of());
        RandomCall call = new RandomCall(reference, ANNOTATED.get(2), new Object[2], null, null, 0, true);

        TracedDecision given = call.inContext(
                () -> TracedDecision.of(reference.intents, call.call(), policy, 0, () -> true, false, "310115"));
        TracedDecision missing = call.inContext(
                () -> TracedDecision.of(reference.intents, call.call(), policy, 0, () -> true, false, null));

        assertThat(given.decision())
                .isInstanceOfSatisfying(RouteDecision.Tunnel.class, tunnel -> assertThat(tunnel.island())
                        .isEqualTo("cloud"));
        assertThat(missing.intent().problem()).contains("the call to explain has none");
        assertThat(missing.decision()).isInstanceOf(RouteDecision.Refusal.class);
    }
}
