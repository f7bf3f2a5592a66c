// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.highway.sdk.Island;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.IntentSource;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision.Home;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision.Refusal;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision.Tunnel;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.internal.Texts;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.common.url.component.ServiceConfigURL;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ConsumerModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ModuleModel;
import org.apache.dubbo.rpc.model.ServiceDescriptor;
import org.apache.dubbo.rpc.model.ServiceMetadata;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests are in the order of the rules. */
class RouteDeciderTest {

    private static final String SMS = Sms.class.getName();
    private static final BooleanSupplier NEVER_ASKED = () -> {
        throw new AssertionError("home's providers count only where home comes first");
    };

    private static final IntUnaryOperator FIRST = bound -> {
        throw new AssertionError("chance counts only where several islands answer");
    };

    interface Sms {

        String send(String text);

        void watch(String topic, StreamObserver<String> messages);

        StreamObserver<String> upload(StreamObserver<String> receipt);
    }

    private static FrameworkModel framework;
    private static ConsumerModel consumer;

    @BeforeAll
    static void describeTheService() {
        framework = new FrameworkModel();
        ModuleModel module = framework.newApplication().newModule();
        ServiceDescriptor descriptor = module.getServiceRepository().registerService(Sms.class);
        consumer = new ConsumerModel(
                SMS, null, descriptor, module, new ServiceMetadata(), Map.of(), Sms.class.getClassLoader());
    }

    @AfterAll
    static void destroy() {
        framework.destroy();
    }

    private static Policy policy(String... keysAndValues) {
        Map<String, String> entries = new LinkedHashMap<>();
        entries.put("highway.island", "zhejiang");
        entries.put("highway.gateways.dubbo", "gateway:20880");
        entries.put("highway.gateways.triple", "gateway:50051");
        entries.put("highway.islands.shanghai.keys", "31*");
        entries.put("highway.islands.beijing.tunnel", "triple");
        for (int i = 0; i < keysAndValues.length; i += 2) {
            entries.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return parse(entries);
    }

    private static Policy parse(Map<String, String> entries) {
        return PolicyParser.parse(RawSettings.of(entries, "test"), "static", null)
                .orElseThrow();
    }

    private static URL url(String... parameters) {
        Map<String, String> all = new HashMap<>();
        all.put("interface", SMS);
        for (int i = 0; i < parameters.length; i += 2) {
            all.put(parameters[i], parameters[i + 1]);
        }
        return new ServiceConfigURL("consumer", "127.0.0.1", 0, SMS, all);
    }

    private static DubboCall send(String... parameters) {
        return call(null, url(parameters), "send", new Class<?>[] {String.class}, "hello");
    }

    private static DubboCall call(ServiceModel model, URL url, String method, Class<?>[] types, Object... arguments) {
        return new DubboCall(new RpcInvocation(model, method, SMS, "", types, arguments), url);
    }

    private static DubboCall watch() {
        return call(
                consumer, url(), "watch", new Class<?>[] {String.class, StreamObserver.class}, "news", (Object) null);
    }

    private static DubboCall upload() {
        return call(consumer, url(), "upload", new Class<?>[] {StreamObserver.class}, (Object) null);
    }

    private static Intent to(String island) {
        return Intent.of(IntentSource.SCOPE, island);
    }

    private static RouteDecision decide(Intent intent, Policy policy) {
        return RouteDecider.decide(send(), intent, policy, 0, NEVER_ASKED, FIRST);
    }

    private static RouteDecision decide(DubboCall call, Policy policy) {
        return RouteDecider.decide(call, to("shanghai"), policy, 0, NEVER_ASKED, FIRST);
    }

    private static Refusal refusal(RouteDecision decision) {
        assertThat(decision).isInstanceOf(Refusal.class);
        return (Refusal) decision;
    }

    @Test
    void staysHome_whenHomeWasAskedFor_orNothing() {
        Intent home = Intent.of(IntentSource.SCOPE, null);

        assertThat(decide(home, policy())).isEqualTo(new Home(Rule.HOME_REQUESTED, "the call asks for home"));
        assertThat(decide(Intent.NONE, policy())).isEqualTo(new Home(Rule.NO_ISLAND, "the call names no island"));
    }

    @Test
    void refusesACallWithoutAnIsland_whereTheServiceRequiresOne() {
        Policy policy = policy("highway.services." + SMS + ".require-island", "true");

        Refusal refusal = refusal(decide(Intent.NONE, policy));

        assertThat(refusal.reason()).isEqualTo(Reason.ISLAND_REQUIRED);
        assertThat(refusal.island()).isNull();
        assertThat(refusal.what()).startsWith("highway.services." + SMS + ".require-island is true");
        assertThat(refusal.advice()).contains("Highway.to(island).bind(..)", "Highway.wrap", "Highway.home()");
    }

    @Test
    void letsCallsThatNameTheirDestinationPass_whereTheServiceRequiresOne() {
        Policy policy = policy("highway.services." + SMS + ".require-island", "true");

        assertThat(decide(Intent.of(IntentSource.SCOPE, null), policy))
                .isEqualTo(new Home(Rule.HOME_REQUESTED, "the call asks for home"));
        assertThat(decide(to("zhejiang"), policy)).isEqualTo(new Home(Rule.ISLAND_IS_HOME, "the island is home"));
        assertThat(decide(to("shanghai"), policy)).isInstanceOf(Tunnel.class);
        assertThat(decide(Intent.NONE, policy("highway.services.com.foo.Other.require-island", "true")))
                .isEqualTo(new Home(Rule.NO_ISLAND, "the call names no island"));
    }

    @Test
    void refuses_whenTheKeyCannotBeRead() {
        Intent unreadable = Intent.undetermined(IntentSource.KEY, "argument 1 is null");

        assertThat(decide(unreadable, policy()))
                .isEqualTo(new Refusal(
                        Rule.ISLAND_ID,
                        null,
                        Reason.BAD_KEY,
                        "argument 1 is null",
                        "Pass a value that names an island, or ask for one by attachment or scope"));
    }

    @ParameterizedTest
    @CsvSource({"ATTACHMENT, BAD_ISLAND", "METHOD, BAD_ISLAND", "INTERFACE, BAD_ISLAND", "KEY, BAD_KEY"})
    void refusesWhatIsNoIslandsId(IntentSource source, Reason reason) {
        Intent bad = Intent.of(source, "Shanghai\n");

        Refusal refusal = refusal(decide(bad, policy()));

        assertThat(refusal.reason()).isEqualTo(reason);
        assertThat(refusal.what()).isEqualTo(Texts.islandProblem(source.word(), "Shanghai\n"));
        assertThat(refusal.advice())
                .isEqualTo("Write an island's id; known islands: beijing, shanghai; did you mean \"shanghai\"?");
    }

    @ParameterizedTest
    @EnumSource(names = {"ATTACHMENT", "SCOPE", "KEY", "METHOD", "REFERENCE", "INTERFACE", "CONFIGURATION"})
    void staysHome_whenTheIslandIsHome(IntentSource source) {
        Intent home = Intent.of(source, "zhejiang", Island.When.HOME_ABSENT);

        assertThat(decide(home, policy("highway.islands.zhejiang.deny", "*")))
                .isEqualTo(new Home(Rule.ISLAND_IS_HOME, "the island is home"));
    }

    @Test
    void mapsABusinessKeyToItsIsland_whichMayBeHome() {
        Policy policy = policy("highway.islands.zhejiang.keys", "33*");

        RouteDecision away = decide(Intent.of(IntentSource.KEY, "310115"), policy);
        RouteDecision home = decide(Intent.of(IntentSource.KEY, "330000"), policy);
        RouteDecision id = decide(Intent.of(IntentSource.KEY, "beijing"), policy);
        RouteDecision unknown = decide(Intent.of(IntentSource.KEY, "440000"), policy);

        assertThat(away)
                .asInstanceOf(type(Tunnel.class))
                .extracting(Tunnel::island)
                .isEqualTo("shanghai");
        assertThat(home).isEqualTo(new Home(Rule.ISLAND_IS_HOME, "the island is home"));
        assertThat(id)
                .asInstanceOf(type(Tunnel.class))
                .extracting(Tunnel::island)
                .isEqualTo("beijing");
        assertThat(refusal(unknown).reason()).isEqualTo(Reason.UNKNOWN_ISLAND);
    }

    @Test
    void mapsKeysOnly_notIdsThatLookLikeKeys() {
        Refusal refusal = refusal(decide(to("310115"), policy()));

        assertThat(refusal.reason()).isEqualTo(Reason.UNKNOWN_ISLAND);
    }

    @Test
    void refusesAnUnknownIsland_withTheNearestKnownOne() {
        assertThat(decide(to("shangai"), policy()))
                .isEqualTo(new Refusal(
                        Rule.KNOWN_ISLAND,
                        "shangai",
                        Reason.UNKNOWN_ISLAND,
                        "no configuration for island \"shangai\"",
                        "Write highway.islands.shangai.tunnel=auto; known islands: beijing, shanghai; did you mean"
                                + " \"shanghai\"?",
                        false));
    }

    /** Meters and audit lines have the islands that code and configuration name, and none that a request brings. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void namesAnUnknownIsland_whereNoRequestBringsIt(IntentSource source) {
        Refusal refusal = refusal(decide(Intent.of(source, "shangai"), policy()));

        boolean isDeclared = EnumSet.of(
                        IntentSource.METHOD, IntentSource.REFERENCE, IntentSource.INTERFACE, IntentSource.CONFIGURATION)
                .contains(source);
        assertThat(refusal.reason()).isEqualTo(Reason.UNKNOWN_ISLAND);
        assertThat(refusal.namedIsland()).isEqualTo(isDeclared ? "shangai" : null);
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void asksHomeFirst_whenHomeComesFirst(boolean homeHasProviders) {
        AtomicInteger asked = new AtomicInteger();
        Intent intent = Intent.of(IntentSource.INTERFACE, "shanghai", Island.When.HOME_ABSENT);

        RouteDecision decision = RouteDecider.decide(
                send(),
                intent,
                policy(),
                0,
                () -> {
                    asked.incrementAndGet();
                    return homeHasProviders;
                },
                FIRST);

        assertThat(asked).hasValue(1);
        if (homeHasProviders) {
            assertThat(decision).isEqualTo(new Home(Rule.HOME_FIRST, "home has a provider"));
        } else {
            assertThat(decision).isInstanceOf(Tunnel.class);
        }
    }

    @Test
    void refusesAnUnknownIsland_evenIfHomeCouldServeTheCall() {
        Intent intent = Intent.of(IntentSource.INTERFACE, "atlantis", Island.When.HOME_ABSENT);

        assertThat(refusal(decide(intent, policy())).reason()).isEqualTo(Reason.UNKNOWN_ISLAND);
    }

    @Test
    void servesADeniedMethodAtHome_whenHomeComesFirstAndCan() {
        Intent intent = Intent.of(IntentSource.INTERFACE, "shanghai", Island.When.HOME_ABSENT);

        RouteDecision decision =
                RouteDecider.decide(send(), intent, policy("highway.islands.shanghai.deny", "*"), 0, () -> true, FIRST);

        assertThat(decision).isInstanceOf(Home.class);
    }

    @ParameterizedTest
    @CsvSource({"send", "se*", "*.RouteDeciderTest$Sms#send", "*#*"})
    void refusesADeniedMethod_andNamesThePattern(String pattern) {
        assertThat(decide(to("shanghai"), policy("highway.islands.shanghai.deny", "query," + pattern)))
                .isEqualTo(new Refusal(
                        Rule.DENY,
                        "shanghai",
                        Reason.DENIED,
                        "highway.islands.shanghai.deny contains \"" + pattern + "\"",
                        "Wait until the switch-over is done, or remove the pattern"));
    }

    private static Policy servedBy(String members, String... more) {
        List<String> keys = new ArrayList<>(List.of(more));
        keys.addAll(List.of("highway.islands.shanghai.served-by", members));
        return policy(keys.toArray(String[]::new));
    }

    private static RouteDecision decide(Policy policy, int drawn) {
        return RouteDecider.decide(send(), to("shanghai"), policy, 0, NEVER_ASKED, bound -> drawn);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "beijing; 0; beijing",
                "shanghai:95,beijing:5; 94; shanghai",
                "shanghai:95,beijing:5; 95; beijing",
                "shanghai:95,beijing:5; 99; beijing",
                "shanghai:0, beijing:1000, home:0; 0; beijing",
                "shanghai:0, beijing:1000, home:0; 999; beijing",
            })
    void drawsTheIslandThatAnswers_byWeight(String members, int drawn, String island) {
        RouteDecision decision = decide(servedBy(members), drawn);

        assertThat(decision).isInstanceOfSatisfying(Tunnel.class, tunnel -> {
            assertThat(tunnel.island()).isEqualTo(island);
            assertThat(tunnel.policy().island()).isEqualTo(island);
            assertThat(tunnel.asked().island()).isEqualTo("shanghai");
            assertThat(tunnel.standsInFor()).isEqualTo(island.equals("shanghai") ? null : "shanghai");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"home", "zhejiang", "home:1,beijing:1"})
    void staysHome_whenHomeAnswers(String members) {
        assertThat(decide(servedBy(members), 0)).isInstanceOfSatisfying(Home.class, home -> assertThat(home.why())
                .startsWith("calls for shanghai are served by "));
    }

    /** The word is one of served-by; another island may have it as its id. */
    @Test
    void anIslandThatIsCalledHome_isNotHome() {
        assertThat(decide(to("home"), policy("highway.islands.home.tunnel", "triple")))
                .isInstanceOfSatisfying(
                        Tunnel.class, tunnel -> assertThat(tunnel.island()).isEqualTo("home"));
    }

    @Test
    void theShareOfEachIsland_isWhatItsWeightSays() {
        Policy policy = servedBy("shanghai:95,beijing:5,home:0");
        int inBeijing = 0;

        for (int i = 0; i < 100_000; i++) {
            RouteDecision decision = RouteDecider.decide(
                    send(), to("shanghai"), policy, 0, NEVER_ASKED, bound -> ThreadLocalRandom.current()
                            .nextInt(bound));
            assertThat(decision).isInstanceOf(Tunnel.class);
            inBeijing += "beijing".equals(decision.island()) ? 1 : 0;
        }

        assertThat(inBeijing / 1000.0).isBetween(4.5, 5.5); // 7 standard deviations
    }

    @ParameterizedTest
    @CsvSource({"shanghai, home", "shanghai, beijing", "beijing, beijing"})
    void refusesWhatTheIslandDenies_andWhatTheOneThatAnswersDenies(String denying, String answering) {
        Refusal refusal = refusal(decide(servedBy(answering, "highway.islands." + denying + ".deny", "send"), 0));

        assertThat(refusal.rule()).isEqualTo(Rule.DENY);
        assertThat(refusal.what()).isEqualTo("highway.islands." + denying + ".deny contains \"send\"");
    }

    @Test
    void anIslandThatOthersAnswerFor_needsNoGateway() {
        Policy policy = parse(Map.of(
                "highway.island", "zhejiang",
                "highway.islands.shanghai.served-by", "beijing",
                "highway.islands.shanghai.tunnel", "dubbo",
                "highway.islands.beijing.gateways.triple", "gateway:50051"));

        assertThat(policy.forIsland("shanghai").isAlias()).isTrue();
        assertThat(RouteDecider.hopeless(to("shanghai"), SMS, policy)).isNull();
        assertThat(decide(policy, 0))
                .asInstanceOf(type(Tunnel.class))
                .extracting(Tunnel::tunnels)
                .isEqualTo(List.of(TunnelKind.TRIPLE));
        assertThat(policy.gateways()).hasSize(1);
    }

    @Test
    void isHopeless_whereNoIslandThatAnswersIsReached() {
        Policy policy = parse(Map.of(
                "highway.island", "zhejiang",
                "highway.islands.shanghai.served-by", "beijing",
                "highway.islands.beijing.tunnel", "auto"));

        assertThat(RouteDecider.hopeless(to("shanghai"), SMS, policy)).isNotNull();
    }

    @Test
    void deniesOneIslandOnly() {
        Policy policy = policy("highway.islands.shanghai.deny", "send");

        assertThat(decide(to("beijing"), policy)).isInstanceOf(Tunnel.class);
    }

    @Test
    void looksAtTheMethodInsideAGenericCall() {
        DubboCall generic = call(
                null,
                url(),
                "$invoke",
                new Class<?>[] {String.class, String[].class, Object[].class},
                "send",
                new String[] {"java.lang.String"},
                new Object[] {"hello"});

        Refusal refusal = refusal(decide(generic, policy("highway.islands.shanghai.deny", "send")));

        assertThat(refusal.reason()).isEqualTo(Reason.DENIED);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 2", "2, 3"})
    void countsThisHop(int soFar, int hops) {
        RouteDecision decision = RouteDecider.decide(send(), to("shanghai"), policy(), soFar, NEVER_ASKED, FIRST);

        assertThat(decision)
                .asInstanceOf(type(Tunnel.class))
                .extracting(Tunnel::hops)
                .isEqualTo(hops);
    }

    @Test
    void refusesTooManyHops() {
        RouteDecision decision = RouteDecider.decide(send(), to("shanghai"), policy(), 3, NEVER_ASKED, FIRST);
        RouteDecision fewer =
                RouteDecider.decide(send(), to("shanghai"), policy("highway.max-hops", "1"), 1, NEVER_ASKED, FIRST);

        assertThat(decision)
                .isEqualTo(new Refusal(
                        Rule.MAX_HOPS,
                        "shanghai",
                        Reason.TOO_MANY_HOPS,
                        "the chain of calls would cross 4 islands and highway.max-hops is 3",
                        "Look for islands that send the call on to each other, or raise highway.max-hops"));
        assertThat(refusal(fewer).reason()).isEqualTo(Reason.TOO_MANY_HOPS);
    }

    @Test
    void staysHome_howeverManyIslandsTheChainHasCrossed() {
        assertThat(RouteDecider.decide(send(), to("zhejiang"), policy(), 99, NEVER_ASKED, FIRST))
                .isInstanceOf(Home.class);
    }

    @Test
    void refusesACallbackArgument() {
        DubboCall listening =
                call(null, url("listen.0.callback", "true"), "listen", new Class<?>[] {Runnable.class}, (Object) null);

        Refusal refusal = refusal(decide(listening, policy()));

        assertThat(refusal.reason()).isEqualTo(Reason.NOT_TUNNELLABLE);
        assertThat(refusal.what()).contains("an argument is a callback");
        assertThat(refusal.advice()).contains("streaming method over triple");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"group; *; group \"*\"", "group; a,b; group \"a,b\"", "version; *; version \"*\""})
    void refusesAGroupOrVersionPattern(String parameter, String value, String named) {
        Refusal refusal = refusal(decide(send(parameter, value), policy()));

        assertThat(refusal.reason()).isEqualTo(Reason.NOT_TUNNELLABLE);
        assertThat(refusal.what()).contains("the reference's " + named + " is a pattern");
        assertThat(refusal.advice()).isEqualTo("Give the reference one group and one version");
    }

    @Test
    void carriesOneGroupAndOneVersion() {
        assertThat(decide(send("group", "blue", "version", "2.0.0"), policy())).isInstanceOf(Tunnel.class);
    }

    static Stream<Arguments> tunnels() {
        return Stream.of(
                Arguments.of("auto", List.of(TunnelKind.TRIPLE, TunnelKind.DUBBO)),
                Arguments.of("triple, dubbo", List.of(TunnelKind.TRIPLE, TunnelKind.DUBBO)),
                Arguments.of("dubbo,triple", List.of(TunnelKind.DUBBO, TunnelKind.TRIPLE)),
                Arguments.of("dubbo", List.of(TunnelKind.DUBBO)),
                Arguments.of("triple", List.of(TunnelKind.TRIPLE)));
    }

    @ParameterizedTest
    @MethodSource("tunnels")
    void offersTheTunnelsOfThePolicy_inTheOrderToTry(String tunnel, List<TunnelKind> expected) {
        Policy policy = policy("highway.islands.shanghai.tunnel", tunnel);

        RouteDecision decision = decide(to("shanghai"), policy);

        assertThat(decision).isEqualTo(new Tunnel(expected, policy.forIsland("shanghai"), false, 1));
    }

    @Test
    void offersOnlyTunnelsThatHaveAGateway() {
        Policy policy = parse(Map.of(
                "highway.island", "zhejiang",
                "highway.gateways.triple", "gateway:50051",
                "highway.islands.shanghai.tunnel", "auto"));

        assertThat(decide(to("shanghai"), policy))
                .asInstanceOf(type(Tunnel.class))
                .satisfies(tunnel -> assertThat(tunnel.tunnels()).containsExactly(TunnelKind.TRIPLE));
    }

    @Test
    void refuses_whenThereIsNoGateway() {
        Policy policy = parse(Map.of("highway.island", "zhejiang", "highway.islands.shanghai.tunnel", "auto"));

        assertThat(decide(to("shanghai"), policy))
                .isEqualTo(new Refusal(
                        Rule.TUNNEL,
                        "shanghai",
                        Reason.NO_GATEWAY,
                        "no gateway is configured for island \"shanghai\"",
                        "Write highway.gateways.dubbo, highway.gateways.triple or highway.gateways.http"));
    }

    static Stream<DubboCall> streams() {
        return Stream.of(watch(), upload());
    }

    @ParameterizedTest
    @MethodSource("streams")
    void offersTripleAlone_whenTheMethodStreams(DubboCall call) {
        assertThat(decide(call, policy()))
                .asInstanceOf(type(Tunnel.class))
                .satisfies(tunnel -> assertThat(tunnel.tunnels()).containsExactly(TunnelKind.TRIPLE));
    }

    @ParameterizedTest
    @MethodSource("streams")
    void refusesAStream_whenThePolicyAllowsDubboOnly(DubboCall call) {
        assertThat(decide(call, policy("highway.islands.shanghai.tunnel", "dubbo")))
                .isEqualTo(new Refusal(
                        Rule.TUNNEL,
                        "shanghai",
                        Reason.NEEDS_TRIPLE,
                        "the method streams, which triple alone carries, and island \"shanghai\" is reached by dubbo",
                        "Write highway.islands.shanghai.tunnel=triple or auto, and highway.gateways.triple"));
    }

    @Test
    void refusesAStream_whenTripleHasNoGateway() {
        Policy policy = parse(Map.of(
                "highway.island", "zhejiang",
                "highway.gateways.dubbo", "gateway:20880",
                "highway.islands.shanghai.tunnel", "auto"));

        assertThat(refusal(decide(watch(), policy)).reason()).isEqualTo(Reason.NEEDS_TRIPLE);
    }

    @Test
    void offersBothTunnels_whenTheDescribedMethodIsUnary() {
        DubboCall unary = call(consumer, url(), "send", new Class<?>[] {String.class}, "hello");

        assertThat(decide(unary, policy()))
                .asInstanceOf(type(Tunnel.class))
                .satisfies(tunnel -> assertThat(tunnel.tunnels()).containsExactly(TunnelKind.TRIPLE, TunnelKind.DUBBO));
    }
}
