// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.policy.GuardRule;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("any-dubbo")
class PolicyRuleTest {

    private static final RawSettings STATIC = settings(
            "island=zhejiang",
            "gateways.dubbo=gateway:20880",
            "gateways.triple=gateway:50051",
            "heartbeat.slow=2s",
            "islands.shanghai.tunnel=dubbo",
            "islands.beijing.timeout=7s",
            "services.com.foo.Sms.island=shanghai");

    /** Each line is one {@code key=value} below {@code highway.}. */
    private static RawSettings settings(String... lines) {
        Map<String, String> entries = new LinkedHashMap<>();
        for (String line : lines) {
            int equals = line.indexOf('=');
            entries.put("highway." + line.substring(0, equals), line.substring(equals + 1));
        }
        return RawSettings.of(entries, "application.yml");
    }

    private static Policy policy(String text) {
        return PolicyRule.read(text, STATIC, Map.of(), null, "test", Set.of()).policy();
    }

    private static IslandPolicy shanghai(String text) {
        return policy(text).forIsland("shanghai");
    }

    private static HighwayConfigurationException refusal(String text) {
        return refusal(text, STATIC);
    }

    private static HighwayConfigurationException refusal(String text, RawSettings settings) {
        HighwayConfigurationException refusal = catchThrowableOfType(
                HighwayConfigurationException.class,
                () -> PolicyRule.read(text, settings, Map.of(), null, "test", Set.of()));
        assertThat(refusal).as("refusal of %s", text).isNotNull();
        return refusal;
    }

    private static void assertRefused(String text, String key, int line) {
        HighwayConfigurationException refusal = refusal(text);
        assertThat(refusal.key()).isEqualTo(key);
        assertThat(refusal.origin()).as(refusal.getMessage()).isEqualTo("highway.policy, line " + line);
    }

    private static void assertEqual(Policy actual, Policy expected) {
        assertThat(actual)
                .usingRecursiveComparison(RecursiveComparisonConfiguration.builder()
                        .withIgnoredFields("origin.settings", "origin.version", "origin.missing")
                        .build())
                .isEqualTo(expected);
    }

    @Test
    void replacesAGroupAsAWhole_andKeepsTheOthers() {
        Policy policy = policy("islands: {cloud: {tunnel: triple}}\nservices: {com.foo.Sms: {island: cloud}}");

        assertThat(policy.knownIslands()).containsExactly("cloud");
        assertThat(policy.serviceIntent("com.foo.Sms").toString()).contains("cloud");
        assertThat(policy.local().heartbeat().slowMillis()).isEqualTo(2000);
        assertThat(policy.forIsland("cloud").gateways(TunnelKind.TRIPLE)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "islands: {shanghai: {breaker: {failure-rate: 20}}}",
                "islands.shanghai.breaker.failure-rate: 20",
                "islands: {shanghai.breaker: {failure-rate: '20'}}",
                "{\"islands\": {\"shanghai\": {\"breaker.failure-rate\": 20}}}",
                "---\n# a comment\nislands:\n  shanghai:\n    breaker.failure-rate: 20\n...\n"
            })
    void readsNestedAndDottedKeys(String text) {
        assertThat(shanghai(text).limits().breaking().failureRate()).isEqualTo(20);
    }

    @Test
    void joinsASequenceWithCommas() {
        assertThat(shanghai("islands: {shanghai: {keys: [310000, 031, \"31*\"]}}")
                        .keys())
                .containsExactlyInAnyOrder("310000", "031", "31*");
        assertThat(shanghai("gateways:\n  triple:\n  - a:1\n  - b:2\n").gateways(TunnelKind.TRIPLE))
                .hasSize(2);
    }

    /** YAML 1.1 makes another value of each: a float, an octal and a sexagesimal number, a date, booleans. */
    @ParameterizedTest
    @ValueSource(strings = {"1.10", "010", "12:30:45", "2026-07-15", "off", "yes", "~", "null", "0x1F", "1_000", "1e3"})
    void readsEveryScalarAsTheTextThatIsWritten(String text) {
        assertThat(shanghai("islands: {shanghai: {keys: %s}}".formatted(text)).keys())
                .containsExactly(text);
        assertThat(policy("services: {}\nislands: {no: {tunnel: auto}, y: {tunnel: auto}, 010: {tunnel: auto}}")
                        .knownIslands())
                .containsExactlyInAnyOrder("no", "y", "010");
        assertThat(PolicyRule.read(
                                "version: %s\nservices: {}".formatted(text), STATIC, Map.of(), null, "test", Set.of())
                        .version())
                .isEqualTo(text);
    }

    /** The start of an application waits for its first rule to be read. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void readsTheLargestRuleInTime_whateverItContains() {
        String many = "${".repeat(520_000);

        assertThat(shanghai("islands: {shanghai: {keys: '" + many + "'}}").keys())
                .containsExactly(many);

        String spaces = "a" + " ".repeat(900_000) + "b";
        RawSettings denied = settings("island=zhejiang", "gateways.dubbo=gateway:20880", "defaults.deny=com.foo.*");
        assertThat(refusal("defaults: {deny: '" + spaces + "'}", denied).key()).isEqualTo("highway.defaults.deny");
    }

    @Test
    void anEmptyGroupHasNoKeys() {
        assertThat(policy("services: {}").serviceIntent("com.foo.Sms").isNone()).isTrue();
        assertThat(policy("services: []").serviceIntent("com.foo.Sms").isNone()).isTrue();
        assertThat(policy("heartbeat: {}").local().heartbeat().slowMillis()).isEqualTo(1000);
        assertThat(shanghai("gateways: {dubbo: []}\nislands.shanghai.tunnel: auto")
                        .gateways(TunnelKind.DUBBO))
                .isEmpty();
        assertThat(policy("islands: {}\nservices: {}").knownIslands()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    islands: {shanghai: {tunnel: dubo}}          | highway.islands.shanghai.tunnel
                    islands: {shanghai: {tunel: dubbo}}          | highway.islands.shanghai.tunel
                    islands: {shanghai: {}}                      | highway.islands.shanghai
                    islands: {shanghai: auto}                    | highway.islands.shanghai
                    islands: {Shanghai: {tunnel: auto}}          | highway.islands.Shanghai.tunnel
                    islands:                                     | highway.islands
                    islands: {shanghai: {tunnel: []}}            | highway.islands.shanghai.tunnel
                    islands: {shanghai: {deny: [[a]]}}           | highway.islands.shanghai.deny
                    services: {com.foo.Sms: {island: atlantis}}  | highway.services.com.foo.Sms.island
                    services: {com.foo.Sms: {when: home-absent}} | highway.services.com.foo.Sms.island
                    heartbeat: {interval: 1.10}                  | highway.heartbeat.interval
                    defaults: {keys: 31}                         | highway.defaults.keys
                    guard: {rules: {a: {action: forbid}}}        | highway.guard.rules.a.action
                    guard: {rules: {a: {from: x/*}}}             | highway.guard.rules.a.action
                    gateway: {dubbo: 'a:1'}                      | highway.gateway.dubbo
                    highway: {islands: {a: {tunnel: auto}}}      | highway.highway.islands.a.tunnel
                    islandz: {}                                  | highway.islandz
                    version: ''                                  | highway.version
                    version: static                              | highway.version
                    use-static: yes                              | highway.use-static
                    defaults: {timeout: '${t}'}                  | highway.defaults.timeout
                    """)
    void refusesAWrongKeyOrValue_withItsLine(String text, String key) {
        assertRefused("# first\n" + text + "\n", key, 2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "island: shanghai",
                "enabled: false",
                "max-hops: 5",
                "gateways.http-max-connections: 2",
                "gateways: {tls: {enabled: true}}",
                "defaults: {gateways: {tls.verify-host: false}}",
                "islands: {shanghai: {gateways.tls.verify-host: false}}",
                "islands: {shanghai: {gateways: {tls: {}}}}",
                "islands: {shanghai: {sign: {key-id: k}}}",
                "islands.shanghai.sign.secret: s",
                "sign: {accept: {k: s}}",
                "sign.mode: shadow",
                "sign.accept-from.k: a/*",
                "guard: {gateways: 10.0.0.1}",
                "guard.home: 10.0.0.0/8",
                "guard.require: nothing",
                "audit: {enabled: false}",
                "audit.enabled: false",
                "policy: {source: none}"
            })
    void refusesAKeyThatOnlyTheStaticConfigurationSets(String text) {
        String keyAndLine = "services: {}\n" + text;

        HighwayConfigurationException refusal = refusal(keyAndLine);

        assertThat(refusal).hasMessageContaining("the policy may not set it");
        assertThat(refusal.key()).startsWith("highway." + text.substring(0, text.indexOf(':')));
        assertThat(refusal.origin()).isEqualTo("highway.policy, line 2");
    }

    @Test
    void keepsStaticTlsAndSignKeys_ofTheIslandsThatTheRuleNames() {
        RawSettings secured = settings(
                "island=zhejiang",
                "gateways.triple=gateway:50051",
                "defaults.gateways.tls.verify-host=false",
                "defaults.timeout=9s",
                "islands.shanghai.sign.key-id=k1",
                "islands.shanghai.sign.secret=s1",
                "islands.shanghai.timeout=8s",
                "islands.beijing.sign.key-id=k2",
                "islands.beijing.sign.secret=s2");

        Policy policy = PolicyRule.read(
                        "islands: {shanghai: {tunnel: triple}, cloud: {tunnel: triple}}\ndefaults: {retries: 1}",
                        secured,
                        Map.of(),
                        null,
                        "test",
                        Set.of())
                .policy();

        assertThat(policy.settings().values().keySet())
                .containsExactlyInAnyOrder(
                        "highway.island",
                        "highway.gateways.triple",
                        "highway.defaults.gateways.tls.verify-host",
                        "highway.defaults.retries",
                        "highway.islands.shanghai.sign.key-id",
                        "highway.islands.shanghai.sign.secret",
                        "highway.islands.shanghai.tunnel",
                        "highway.islands.cloud.tunnel");
    }

    /** Whatever is more specific. */
    @Test
    void staticOwnersCountFirst_andARuleRegistersNoIslandByAStar() {
        RawSettings owned =
                settings("island=zhejiang", "guard.callers.shanghai/*.owner=li", "guard.unknown-callers=refuse");

        Policy policy = PolicyRule.read(
                        "guard.callers: {shanghai/bank: {owner: wang}, beijing/*: {owner: wang}}",
                        owned,
                        Map.of(),
                        null,
                        "test",
                        Set.of())
                .policy();

        assertThat(policy.ownerOf(Caller.of("shanghai", "bank"))).isEqualTo("li");
        assertThat(policy.ownerOf(Caller.of("beijing", "bank"))).isEqualTo("wang");
        assertThat(policy.ownerOf(Caller.of("yunnan", "bank"))).isNull();
        for (String pattern : List.of("*/*", "*/bank", "b*/bank")) {
            assertThat(refusal("guard.callers:\n  '%s': {owner: wang}".formatted(pattern), owned))
                    .hasMessageContaining("highway.guard.unknown-callers is refuse")
                    .satisfies(e -> assertThat(e.origin()).isEqualTo("highway.policy, line 2"));
        }
        assertThat(refusal(
                        "guard.callers: {beijing/*: {owner: wang}}",
                        settings("island=zhejiang", "policy.fixed=guard.callers")))
                .hasMessageContaining("highway.policy.fixed lists it");
        assertThat(policy("guard.callers: {'*/*': {owner: wang}}").ownerOf(Caller.of("yunnan", "bank")))
                .isEqualTo("wang");
    }

    /** A list of so many items, or mapping of so many names. */
    private static String many(int count, String item) {
        return IntStream.range(0, count).mapToObj(i -> item.formatted(i)).collect(Collectors.joining(","));
    }

    @Test
    void hasBounds_ofIslandsRulesListsAndEndpoints() {
        assertRefused("version: a\nislands: {%s}".formatted(many(1_001, "i%s: {retries: 0}")), "highway.islands", 2);
        assertRefused("islands.shanghai.deny: [%s]".formatted(many(1_001, "m%s")), "highway.islands.shanghai.deny", 1);
        assertRefused("\ndefaults: {idempotent: '%s'}".formatted(many(1_001, "m%s")), "highway.defaults.idempotent", 2);
        assertRefused("guard.rules: {%s}".formatted(many(1_001, "r%s: {action: deny}")), "highway.guard.rules", 1);
        assertRefused("guard.callers: {%s}".formatted(many(1_001, "i%s/*: {owner: li}")), "highway.guard.callers", 1);
        assertThat(refusal("gateways.dubbo: [%s]\nislands: {%s}\nservices: {}"
                        .formatted(many(20, "gateway:%s1"), many(1_000, "i%s: {tunnel: dubbo}"))))
                .hasMessageContaining("the islands have more than 10000 gateways together")
                .satisfies(e -> assertThat(e.origin()).isEqualTo("highway.policy, line 2"));

        assertThat(policy("services: {}\ndefaults.deny: [%s]\nislands: {%s}"
                                .formatted(many(1_000, "m%s"), many(1_000, "i%s: {tunnel: dubbo}")))
                        .knownIslands())
                .hasSize(1_000);
    }

    @Test
    void givesServicesGatewaysOfTheirOwn() {
        IslandPolicy shanghai = shanghai(
                "islands: {shanghai: {tunnel: auto, services: {com.foo.*: {gateways: {dubbo: [own:1, own:2]}}}}}");

        assertThat(shanghai.of("com.foo.Sms").gateways(TunnelKind.DUBBO)).hasSize(2);
        assertThat(shanghai.of("com.bar.Sms").gateways(TunnelKind.DUBBO))
                .isEqualTo(shanghai.gateways(TunnelKind.DUBBO));
        assertRefused(
                "islands: {shanghai: {\n services: {com.foo.*: {gateways: {dubbo: own}}}}}",
                "highway.islands.shanghai.services.com.foo.*.gateways.dubbo",
                2);
        assertRefused(
                "islands: {shanghai: {\n services: {com.foo.*: {gateways: {tls.enabled: true}}}}}",
                "highway.islands.shanghai.services.com.foo.*.gateways.tls.enabled",
                2);
    }

    @Test
    void ordersTheTunnels() {
        assertThat(shanghai("islands: {shanghai: {tunnel: [dubbo, triple]}}")
                        .routes()
                        .tunnels())
                .containsExactly(TunnelKind.DUBBO, TunnelKind.TRIPLE);
        assertThat(shanghai("islands: {shanghai: {tunnel: auto}}").routes().tunnels())
                .containsExactly(TunnelKind.TRIPLE, TunnelKind.DUBBO, TunnelKind.HTTP);
        assertRefused("\nislands.shanghai.tunnel: triple,duboo", "highway.islands.shanghai.tunnel", 2);
    }

    @Test
    void hasABound_ofPatternsOfServices() {
        String rule = "islands: {shanghai: {services: {%s}}}";

        assertThat(refusal(rule.formatted(many(1_001, "com.foo.S%s: {gateways.dubbo: 'own:1'}"))))
                .hasMessageContaining("the island has more than 1000 patterns of services");
        assertThat(refusal("islands: {shanghai: {gateways.dubbo: [%s], services: {%s}}}"
                        .formatted(many(20, "own:%s1"), many(600, "com.foo.S%s: {gateways.triple: 'own:1'}"))))
                .hasMessageContaining("the islands have more than 10000 gateways together");
        assertThat(policy(rule.formatted(many(999, "com.foo.S%s: {gateways.dubbo: 'own:1'}")))
                        .knownIslands())
                .containsExactly("shanghai");
    }

    @Test
    void leavesFixedGatewaysOfServices() {
        RawSettings fixed = settings(
                "island=zhejiang",
                "islands.shanghai.gateways.dubbo=all:1",
                "islands.shanghai.services.com.foo.*.gateways.dubbo=foo:1",
                "policy.fixed=gateways.dubbo");

        assertThat(refusal("islands: {shanghai: {services: {com.bar.*: {gateways: {dubbo: 'own:1'}}}}}", fixed))
                .hasMessageContaining("the policy may not set it: highway.policy.fixed");
        assertThat(PolicyRule.read("islands: {shanghai: {retries: 1}}", fixed, Map.of(), null, "test", Set.of())
                        .policy()
                        .forIsland("shanghai")
                        .of("com.foo.Sms")
                        .gateways(TunnelKind.DUBBO)
                        .get(0)
                        .address()
                        .host())
                .isEqualTo("foo");
    }

    @Test
    void sharesTheListsOfDefaults_amongAllIslands() {
        Policy policy =
                policy("defaults: {deny: [a, b], idempotent: c}\nislands: {shanghai: {retries: 0}, x: {retries: 1}}");

        assertThat(policy.forIsland("x").calls().deny())
                .isSameAs(policy.forIsland("shanghai").calls().deny());
        assertThat(policy.forIsland("x").calls().idempotent())
                .isSameAs(policy.forIsland("shanghai").calls().idempotent());
        assertThat(policy.forIsland("x").gateways(TunnelKind.TRIPLE))
                .isSameAs(policy.forIsland("shanghai").gateways(TunnelKind.TRIPLE));
    }

    private static List<String> denied(Policy policy, String island) {
        return policy.forIsland(island).calls().deny().patterns();
    }

    @Test
    void addsToWhatIsDeniedStatically() {
        RawSettings denying = settings(
                "island=zhejiang",
                "gateways.dubbo=gateway:20880",
                "islands.shanghai.deny=pay*",
                "defaults.deny=drop",
                "islands.beijing.timeout=7s");

        Policy named = PolicyRule.read(
                        "islands: {shanghai: {timeout: 5s}, cloud: {deny: [sell, drop]}}",
                        denying,
                        Map.of(),
                        null,
                        "test",
                        Set.of())
                .policy();
        Policy replaced = PolicyRule.read(
                        "islands: {shanghai: {deny: []}, cloud: {timeout: 1s}}\ndefaults: {deny: put}",
                        denying,
                        Map.of(),
                        null,
                        "test",
                        Set.of())
                .policy();
        Policy dropped = PolicyRule.read("islands: {beijing: {timeout: 5s}}", denying, Map.of(), null, "test", Set.of())
                .policy();

        assertThat(denied(named, "shanghai")).contains("pay*");
        assertThat(denied(named, "cloud")).containsExactlyInAnyOrder("sell", "drop");
        assertThat(denied(replaced, "shanghai")).containsExactly("pay*");
        assertThat(denied(replaced, "cloud")).containsExactlyInAnyOrder("put", "drop");
        assertThat(dropped.knownIslands()).containsExactly("beijing");
    }

    @Test
    void keepsServicesThatRequireAnIsland() {
        RawSettings requiring = settings(
                "island=zhejiang", "islands.shanghai.tunnel=dubbo", "services.com.foo.Sms.require-island=true");

        for (String rule : List.of("services: {}", "services.com.foo.Sms.require-island: false")) {
            assertThat(PolicyRule.read(rule, requiring, Map.of(), null, "test", Set.of())
                            .policy()
                            .requiresIsland("com.foo.Sms"))
                    .as(rule)
                    .isTrue();
        }
        assertThat(refusal("services.com.foo.Sms.island: shanghai", requiring).key())
                .isEqualTo("highway.services.com.foo.Sms.require-island");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "islands.shanghai.idempotent: sell|highway.islands.shanghai.idempotent",
                "defaults: {fallback: home}|highway.defaults.fallback",
                "islands.shanghai.fallback-methods: '*'|highway.islands.shanghai.fallback-methods",
                "islands.shanghai.breaker.slow-call: 1s|highway.islands.shanghai.breaker.slow-call",
                "services.com.foo.Sms.island: shanghai|highway.services.com.foo.Sms.island",
                "services: {}|highway.services",
                "heartbeat.interval: 5s|highway.heartbeat.interval",
            })
    void refusesAndKeepsWhatIsFixed(String rule, String key) {
        RawSettings fixed = settings(
                "island=zhejiang",
                "gateways.dubbo=gateway:20880",
                "islands.shanghai.fallback=home",
                "islands.shanghai.fallback-methods=query*",
                "islands.beijing.fallback=home",
                "defaults.idempotent=query*",
                "policy.fixed=idempotent, fallback,breaker,services,heartbeat");

        HighwayConfigurationException refusal = refusal("version: a\n" + rule, fixed);
        Policy policy = PolicyRule.read(
                        "islands: {shanghai: {timeout: 5s}}\ndefaults: {}", fixed, Map.of(), null, "test", Set.of())
                .policy();

        assertThat(refusal.key()).isEqualTo(key);
        assertThat(refusal.origin()).isEqualTo("highway.policy, line 2");
        assertThat(refusal).hasMessageContaining("the policy may not set it: highway.policy.fixed");
        assertThat(policy.forIsland("shanghai").calls().fallback().to()).isEqualTo("home");
        assertThat(policy.forIsland("shanghai").calls().fallback().methods().patterns())
                .containsExactly("query*");
        assertThat(policy.forIsland("shanghai").calls().idempotent().patterns()).containsExactly("query*");
        assertThat(policy.knownIslands()).containsExactly("shanghai");
    }

    @ParameterizedTest
    @ValueSource(strings = {"S3cr3t", "&S3cr3t x", "*S3cr3t", "!S3cr3t x", "[S3cr3t]", "[[S3cr3t]]"})
    void neverQuotesAValueOfASignature(String value) {
        for (String key : List.of("sign.secret", "islands.shanghai.sign.key-id", "sign.accept.shanghai")) {
            HighwayConfigurationException refusal = refusal(key + ": " + value);

            assertThat(refusal).hasMessageContaining(key).hasMessageNotContaining("S3cr3t");
        }
    }

    @Test
    void addsRulesOfTheGuard_andRefusesToChangeStaticOnes() {
        RawSettings guarded = settings("island=zhejiang", "guard.mode=enforce", "guard.rules.no-pay.action=deny");

        Policy policy = PolicyRule.read(
                        "guard: {rules: {no-refund: {action: deny}}}", guarded, Map.of(), null, "test", Set.of())
                .policy();

        assertThat(policy.guard().rules()).extracting(GuardRule::name).containsExactly("no-pay", "no-refund");
        assertThat(refusal("guard:\n  rules:\n    no-pay: {rate: 5/s}", guarded))
                .hasMessageStartingWith("highway.guard.rules.no-pay.rate: it is set in the static configuration")
                .satisfies(e -> assertThat(e.origin()).isEqualTo("highway.policy, line 3"));
        assertThat(refusal("guard: {rules: {no-pay: {}}}", guarded).key()).isEqualTo("highway.guard.rules.no-pay");
        assertThat(refusal("guard: {mode: shadow}", guarded).key()).isEqualTo("highway.guard.mode");
        assertThat(refusal("guard: {stands-in-for: {shanghai: '*'}}", guarded).key())
                .isEqualTo("highway.guard.stands-in-for.shanghai");
        assertThat(PolicyRule.read("guard: {rules: {}}", guarded, Map.of(), null, "test", Set.of())
                        .policy()
                        .guard()
                        .rules())
                .hasSize(1);
        assertThat(policy("guard: {mode: shadow}").guard().isShadow()).isTrue();
    }

    @Test
    void returnsToTheStaticConfiguration_whenTheRuleAsksForIt() {
        PolicyRule rule =
                PolicyRule.read("version: back\nuse-static: true\n", STATIC, Map.of(), null, "test", Set.of());

        assertThat(rule.usesStatic()).isTrue();
        assertThat(rule.version()).isEqualTo("back");
        assertThat(rule.policy().version()).isEqualTo("back");
        assertEqual(rule.policy(), PolicyParser.parse(STATIC, "static", null).orElseThrow());
        assertRefused("use-static: true\nheartbeat.slow: 1s", "highway.heartbeat.slow", 2);
    }

    @Test
    void isIdentifiedByItsHash_andNamedByItsLabel() {
        PolicyRule labelled =
                PolicyRule.read("version: a\nheartbeat.slow: 1s", STATIC, Map.of(), null, "test", Set.of());
        PolicyRule other = PolicyRule.read("version: a\nheartbeat.slow: 3s", STATIC, Map.of(), null, "test", Set.of());
        PolicyRule unlabelled = PolicyRule.read("heartbeat.slow: 1s", STATIC, Map.of(), null, "test", Set.of());

        assertThat(labelled.version()).isEqualTo("a");
        assertThat(labelled.hash()).hasSize(64).isNotEqualTo(other.hash());
        assertThat(unlabelled.version()).isEqualTo(unlabelled.hash().substring(0, 8));
        assertThat(unlabelled.policy().version()).isEqualTo(unlabelled.version());
        assertThat(PolicyRule.versionOf("version: b\nislandz: {}")).isEqualTo("b");
        assertThat(PolicyRule.versionOf("version: b: c")).hasSize(8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    'heartbeat: {slow: 1s}\nheartbeat.slow: 2s'                         | 2 | written twice, also in line 1
                    'services: {}\nservices: {}'                                        | 2 | written twice, also in line 1
                    'islands:\n  a: &x {tunnel: auto}\n  b: *x'                         | 2 | the anchor &x is not allowed
                    'islands:\n  a: *x'                                                 | 2 | the alias *x is not allowed
                    'heartbeat:\n  slow: !!str 1s'                                      | 2 | is not allowed
                    'services: {}\nheartbeat: !!java.net.URL {slow: 1s}'                | 2 | is not allowed
                    'services: {}\n---\nservices: {}'                                   | 2 | more than one document
                    'services: {}\n  heartbeat: 1'                                      | 2 | not valid YAML
                    'services: {\nheartbeat'                                            | 2 | not valid YAML
                    'services: {}\n\tx: 1'                                              | 2 | not valid YAML
                    'services: {}\n? {a: b}\n: c'                                       | 2 | a key is missing
                    'services: {}\n? [a]\n: c'                                          | 2 | a key is missing
                    'services: {}\n"": c'                                               | 2 | a key is missing
                    'services: {}\n"a\\nb": c'                                          | 2 | a key is missing
                    'defaults:\n  timeout: "1\\ns"'                                     | 2 | line break
                    'defaults:\n  deny: |\n    a\n    b'                                | 2 | line break
                    'defaults:\n  timeout: "1\\u0085 s"'                                  | 2 | line break
                    'defaults:\n  timeout: "1\\u2028 s"'                                  | 2 | line break
                    'defaults:\n  timeout: "1\\u202e s"'                                  | 2 | line break
                    'services:\n  {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: 1}}}}}}}}}}'  | 2 | nested too deeply
                    'version: "\\UFFFFFFFF"'                                              | 1 | not valid YAML
                    '- a\n- b'                                                          | 1 | the rule has no keys
                    'auto'                                                              | 1 | the rule has no keys
                    '# nothing'                                                         | 1 | the rule has no keys
                    ''                                                                  | 1 | the rule has no keys
                    '---\n'                                                             | 2 | the rule has no keys
                    '{}'                                                                | 1 | the rule has no key
                    'version: a'                                                        | 1 | the rule has no key but version
                    """)
    void refusesWhatIsNoPlainMapping_withItsLine(String text, int line, String problem) {
        HighwayConfigurationException refusal = refusal(text);

        assertThat(refusal).hasMessageContaining(problem);
        assertThat(refusal.origin()).as(refusal.getMessage()).isEqualTo("highway.policy, line " + line);
    }

    @Test
    void refusesAHugeRule_andManyBrackets() {
        assertThat(refusal("# " + "x".repeat(1 << 20))).hasMessageContaining("larger than 1MB");
        assertThat(refusal("# " + "\u6d77".repeat((1 << 20) / 3))).hasMessageContaining("larger than 1MB");
        assertThat(refusal("a: " + "[".repeat(500_000))).hasMessageContaining("highway.a");
        assertThat(refusal("a: " + "{b: ".repeat(100_000))).hasMessageContaining("nested too deeply");
        assertThat(refusal("a: \u0001")).hasMessageContaining("not valid YAML");
    }

    @Test
    void namesTheStaticOrigin_whenAStaticKeyNoLongerFits() {
        HighwayConfigurationException refusal = refusal("islands: {cloud: {tunnel: auto}}");

        assertThat(refusal.key()).isEqualTo("highway.services.com.foo.Sms.island");
        assertThat(refusal.origin()).isEqualTo("application.yml");
    }

    @Test
    void refusesARule_whenTheHighwayIsOff() {
        assertThatExceptionOfType(HighwayConfigurationException.class)
                .isThrownBy(() ->
                        PolicyRule.read("services: {}", settings("enabled=false"), Map.of(), null, "test", Set.of()))
                .withMessageContaining("switched off");
    }

    /** Every group but the keys of the process, written as a rule over a static configuration with other values. */
    @Test
    void givesAnEqualPolicy_forEveryStaticConfiguration() {
        int accepted = 0;
        for (int seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            Map<String, String> process = new TreeMap<>(Map.of("island", "zhejiang"));
            Map<String, String> dynamic = randomKeys(random);
            Policy expected;
            try {
                expected = PolicyParser.parse(settings(process, dynamic), "static", null)
                        .orElseThrow();
            } catch (HighwayConfigurationException e) {
                assertThat(refusal(yaml(random, dynamic), settings(process, Map.of())))
                        .as("seed %s", seed)
                        .hasMessage(e.getMessage());
                continue;
            }
            accepted++;
            Map<String, String> other = randomKeys(new Random(~seed));
            other.keySet() // what no rule can drop
                    .removeIf(
                            key -> key.startsWith("guard.") || key.endsWith("deny") || key.endsWith("require-island"));
            String text = yaml(random, dynamic) + unnamedGroups(dynamic);

            assertEqual(
                    PolicyRule.read(text, settings(process, other), Map.of(), null, "test", Set.of())
                            .policy(),
                    expected);
        }
        assertThat(accepted).isGreaterThan(1_000);
    }

    private static String unnamedGroups(Map<String, String> dynamic) {
        StringBuilder empty = new StringBuilder();
        for (String group : List.of(
                "gateways.dubbo", "gateways.triple", "islands", "services", "defaults", "heartbeat", "guard.rules")) {
            if (dynamic.keySet().stream().noneMatch(key -> key.equals(group) || key.startsWith(group + "."))) {
                empty.append('"').append(group).append("\": {}\n");
            }
        }
        return empty.toString();
    }

    private static RawSettings settings(Map<String, String> process, Map<String, String> dynamic) {
        Map<String, String> all = new LinkedHashMap<>();
        process.forEach((key, value) -> all.put("highway." + key, value));
        dynamic.forEach((key, value) -> all.put("highway." + key, value));
        return RawSettings.of(all, "static");
    }

    /** Keys of every group, most of them valid together; each group is sometimes left out. */
    private static Map<String, String> randomKeys(Random random) {
        Map<String, String> keys = new TreeMap<>();
        Map<String, List<String>> perIsland = new TreeMap<>(Map.of(
                "tunnel", List.of("auto", "dubbo", "triple"),
                "timeout", List.of("1s", "010", "1500ms", "2m"),
                "retries", List.of("0", "3"),
                "idempotent", List.of("get*", "com.foo.Sms#get*,query*"),
                "max-request-size", List.of("1MB", "512KB", "1_0"),
                "max-concurrent", List.of("auto", "unlimited", "007"),
                "max-wait", List.of("0", "50ms"),
                "breaker.failure-rate", List.of("none", "30"),
                "breaker.slow-call", List.of("none", "1s"),
                "fallback", List.of("none", "home")));
        perIsland.put("bulk.methods", List.of("upload*", "com.foo.Files#put,load*"));
        perIsland.put("bulk.over", List.of("none", "16KB"));
        perIsland.put("bulk.max-concurrent", List.of("2", "4"));
        perIsland.put("deny", List.of("com.foo.Pay#*", "drop*"));
        perIsland.put("gateways.triple", List.of("a:1,b:2", "[::1]:50051"));
        perIsland.put("gateways.dubbo", List.of("a:3", "c:20880"));
        for (String kind : List.of("dubbo", "triple")) {
            if (random.nextInt(8) > 0) {
                keys.put("gateways." + kind, random.nextBoolean() ? "g:1" : "g:1,h:2");
            }
        }
        perIsland.forEach((key, values) -> {
            if (random.nextInt(6) == 0) {
                keys.put("defaults." + key, pick(random, values));
            }
        });
        List<String> ids = new ArrayList<>(List.of("shanghai", "no", "010", "y", "1e3"));
        Collections.shuffle(ids, random);
        List<String> used = ids.subList(0, random.nextInt(4));
        for (String id : used) {
            keys.put("islands." + id + ".tunnel", pick(random, List.of("auto", "dubbo", "triple")));
            if (random.nextBoolean()) {
                keys.put("islands." + id + ".keys", "k" + id + ",0" + id + "*");
            }
            perIsland.forEach((key, values) -> {
                if (random.nextInt(4) == 0) {
                    keys.put("islands." + id + "." + key, pick(random, values));
                }
            });
        }
        for (String service : List.of("com.foo.Sms", "com.foo.Pay", "Bare")) {
            if (random.nextInt(3) == 0) {
                if (used.isEmpty() || random.nextBoolean()) {
                    keys.put("services." + service + ".require-island", pick(random, List.of("true", "false")));
                } else {
                    keys.put("services." + service + ".island", pick(random, used));
                    keys.put("services." + service + ".when", pick(random, List.of("always", "home-absent")));
                }
            }
        }
        if (random.nextBoolean()) {
            keys.put("heartbeat.interval", pick(random, List.of("none", "5s", "5")));
        }
        if (random.nextInt(4) == 0) {
            keys.put("heartbeat.service", "blue/com.foo.Sms:1.10");
        }
        if (random.nextInt(3) == 0) {
            keys.put("guard.mode", pick(random, List.of("shadow", "enforce")));
        }
        for (String rule : List.of("off", "no-pay")) {
            if (random.nextInt(3) == 0) {
                keys.put("guard.rules." + rule + ".action", pick(random, List.of("allow", "deny", "audit")));
                keys.put("guard.rules." + rule + ".from", "*/shop-" + rule);
            }
        }
        return keys;
    }

    private static String pick(Random random, List<String> values) {
        return values.get(random.nextInt(values.size()));
    }

    /** The keys as YAML: each plain, quoted or as a list; at each dot either nested or not. */
    private static String yaml(Random random, Map<String, String> keys) {
        Map<String, Object> tree = new LinkedHashMap<>();
        keys.forEach((key, value) -> put(random, tree, key, value));
        StringBuilder text = new StringBuilder();
        write(random, tree, "", text);
        return text.toString();
    }

    @SuppressWarnings("unchecked") // of the tree that this method builds
    private static void put(Random random, Map<String, Object> tree, String key, String value) {
        int dot = key.indexOf('.');
        while (dot > 0) {
            if (random.nextInt(3) > 0 && !(tree.get(key.substring(0, dot)) instanceof String)) {
                Map<String, Object> below =
                        (Map<String, Object>) tree.computeIfAbsent(key.substring(0, dot), any -> new LinkedHashMap<>());
                put(random, below, key.substring(dot + 1), value);
                return;
            }
            dot = key.indexOf('.', dot + 1);
        }
        tree.put(key, value);
    }

    @SuppressWarnings("unchecked") // of the tree that put builds
    private static void write(Random random, Map<String, Object> tree, String indent, StringBuilder text) {
        tree.forEach((key, value) -> {
            text.append(indent).append(key).append(':');
            if (value instanceof String scalar) {
                text.append(' ').append(scalar(random, scalar)).append('\n');
            } else {
                text.append('\n');
                write(random, (Map<String, Object>) value, indent + "  ", text);
            }
        });
    }

    private static String scalar(Random random, String value) {
        boolean mustBeQuoted = value.startsWith("*") || value.startsWith("[") || value.contains("#");
        return switch (random.nextInt(3)) {
            case 0 -> "'" + value + "'";
            case 1 -> '[' + "\"" + value.replace(",", "\", \"") + "\"" + ']';
            default -> mustBeQuoted ? '"' + value + '"' : value;
        };
    }
}
