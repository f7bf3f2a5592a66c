// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.policy.GuardPolicy.Requirement;
import io.highway.sdk.dubbo.internal.policy.GuardRule.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardParserTest {

    private static Policy policy(String... keysAndValues) {
        Map<String, String> keys = new TreeMap<>(Map.of("highway.island", "shanghai"));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            keys.put("highway." + keysAndValues[i], keysAndValues[i + 1]);
        }
        return PolicyParser.parse(RawSettings.of(keys, "test"), "static", null).orElseThrow();
    }

    private static GuardPolicy guard(String... keysAndValues) {
        return policy(keysAndValues).guard();
    }

    @Test
    void demandsNothing_withoutAKey() {
        GuardPolicy guard = guard();

        assertThat(guard).isEqualTo(GuardPolicy.OFF);
        assertThat(guard.restrictsIngress()).isFalse();
    }

    @Test
    void readsEveryKey() {
        GuardPolicy guard = guard(
                "guard.gateways", "10.1.2.3, 10.2.0.0/16,Gateway.Shanghai.test,2001:db8::1",
                "guard.home", "10.3.0.0/16",
                "guard.require", "signature",
                "guard.mode", "shadow",
                "guard.rules.b-shops.action", "allow",
                "guard.rules.b-shops.from", "zhejiang/*, */shop-*",
                "guard.rules.b-shops.to", "query*,com.foo.Sms#get*",
                "guard.rules.b-shops.rate", "200/s",
                "guard.rules.a1.action", "deny",
                "sign.accept.zj", "open sesame");

        assertThat(guard.gateways()).hasToString("[10.1.2.3, 10.2.0.0/16, 2001:db8::1]");
        assertThat(guard.gatewayNames()).containsExactly("gateway.shanghai.test");
        assertThat(guard.home()).hasToString("[10.3.0.0/16]");
        assertThat(guard.require()).isEqualTo(Requirement.SIGNATURE);
        assertThat(guard.isShadow()).isTrue();
        assertThat(guard.rules()).extracting(GuardRule::name).containsExactly("a1", "b-shops");
        assertThat(guard.rules().get(0)).isEqualTo(new GuardRule("a1", Action.DENY, List.of(), MethodPatterns.NONE, 0));
        GuardRule shops = guard.rules().get(1);
        assertThat(shops.action()).isEqualTo(Action.ALLOW);
        assertThat(shops.from()).hasToString("[zhejiang/*, */shop-*]");
        assertThat(shops.to().patterns()).containsExactly("query*", "com.foo.Sms#get*");
        assertThat(shops.rate()).isEqualTo(200);
    }

    @Test
    void requiresHeaders_ofEveryPeerThatIsNotAtHome() {
        assertThat(guard("guard.home", "10.0.0.0/8").require()).isEqualTo(Requirement.HEADERS);
        assertThat(guard("guard.gateways", "10.0.0.1").require()).isEqualTo(Requirement.NOTHING);
    }

    @ParameterizedTest
    @CsvSource({"1/s, 1", "200/s, 200", "1000000/s, 1000000"})
    void readsARate(String written, int rate) {
        assertThat(guard("guard.rules.a.action", "allow", "guard.rules.a.rate", written)
                        .rules()
                        .get(0)
                        .rate())
                .isEqualTo(rate);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    guard                    | x              | highway.guard: it is a group of keys and has no value itself. Write highway.guard.gateways, .home, .require, .mode or .rules.<name>.action
                    guard.gateway            | 10.0.0.1       | highway.guard.gateway: there is no such key. Did you mean "guard.gateways"?
                    guard.rules              | x              | highway.guard.rules: there is no such key
                    guard.rules.a            | deny           | highway.guard.rules.a: the name of the rule is missing
                    guard.rules.A.action     | deny           | highway.guard.rules.A.action: the name of the rule is missing or is not 1 to 63 lower-case letters, digits and hyphens. Write highway.guard.rules.<name>.action
                    guard.rules.a.b.action   | deny           | highway.guard.rules.a.b.action: there is no such key
                    guard.rules.a.acton      | deny           | highway.guard.rules.a.acton: there is no such key. Did you mean "action"?
                    guard.rules.a.action     | refuse         | highway.guard.rules.a.action: "refuse" is not allowed; allowed: allow, deny, audit
                    guard.rules.a.from       | zhejiang/*     | highway.guard.rules.a.action: missing, though another key of the rule "a" is set. Write allow, deny or audit
                    guard.gateways           | ,              | highway.guard.gateways: the value is empty. Write addresses, ranges and host names of gateways, or remove the key
                    guard.gateways           | 10.0.0.256     | highway.guard.gateways: "10.0.0.256" is not allowed; allowed: an IP address, a range such as 10.1.0.0/16 or 2001:db8::/32, or a host name. Write the address from which the gateway connects to this process, without a port
                    guard.gateways           | 10.0.0.1:20880 | highway.guard.gateways: "10.0.0.1:20880" is not allowed
                    guard.gateways           | gateway:20880  | highway.guard.gateways: "gateway:20880" is not allowed
                    guard.gateways           | 10.0.0.1/8     | highway.guard.gateways: "10.0.0.1/8" has bits beyond its prefix. Write 10.0.0.0/8 for the range, or the address without a prefix
                    guard.home               | gateway.test   | highway.guard.home: "gateway.test" is not allowed; allowed: an IP address, or a range such as 10.1.0.0/16 or 2001:db8::/32. Write the addresses of the callers at home
                    guard.require            | signatures     | highway.guard.require: "signatures" is not allowed; allowed: nothing, headers, signature. Did you mean "signature"?
                    guard.require            | signature      | highway.guard.require: "signature" demands what nothing can verify: there is no highway.sign.accept.<key-id>. Write the keys of the other islands as highway.sign.accept.<key-id>, or headers
                    guard.mode               | off            | highway.guard.mode: "off" is not allowed; allowed: enforce, shadow
                    """)
    void namesKeyAndFix(String key, String value, String message) {
        assertThatThrownBy(() -> policy(key, value))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    deny  | rate | 200/s        | highway.guard.rules.a.rate: a rule with the action deny allows nothing that a rate could limit. Remove the rate, or write it at an allow rule
                    audit | rate | 200/s        | highway.guard.rules.a.rate: a rule with the action audit allows nothing that a rate could limit
                    allow | rate | 0/s          | highway.guard.rules.a.rate: "0/s" is not allowed; allowed: calls per second from 1/s to 1000000/s. Write a rate such as 200/s
                    allow | rate | 1000001/s    | highway.guard.rules.a.rate: "1000001/s" is not allowed
                    allow | rate | 99999999999/s| highway.guard.rules.a.rate: "99999999999/s" is not allowed
                    allow | rate | 200          | highway.guard.rules.a.rate: "200" is not allowed
                    allow | rate | 200/m        | highway.guard.rules.a.rate: "200/m" is not allowed
                    allow | rate | -1/s         | highway.guard.rules.a.rate: "-1/s" is not allowed
                    allow | from | zhejiang     | highway.guard.rules.a.from: "zhejiang" is not allowed; allowed: island/application, with at most one star on each side of /. Did you mean "zhejiang/*"? Write zhejiang/*,
                    allow | from | */*/*        | highway.guard.rules.a.from: "*/*/*" is not allowed
                    allow | from | Zhejiang/*   | highway.guard.rules.a.from: "Zhejiang/*" is not allowed
                    allow | from | zhejiang/    | highway.guard.rules.a.from: "zhejiang/" is not allowed
                    allow | from | /shop        | highway.guard.rules.a.from: "/shop" is not allowed
                    allow | from | z*j*/shop    | highway.guard.rules.a.from: "z*j*/shop" is not allowed
                    allow | from | zhejiang/*s* | highway.guard.rules.a.from: "zhejiang/*s*" is not allowed
                    allow | from | zhejiang/商店 | highway.guard.rules.a.from: "zhejiang/
                    allow | from | zhejiang/my shop | highway.guard.rules.a.from: "zhejiang/my shop" is not allowed
                    deny  | from | ,            | highway.guard.rules.a.from: the value is empty. Write island/application patterns, such as zhejiang/*, or remove the key to match all
                    deny  | to   | ,            | highway.guard.rules.a.to: the value is empty
                    deny  | to   | com.foo.Sms.get | highway.guard.rules.a.to: "com.foo.Sms.get" is not allowed; allowed: method or interface#method, with at most one star on each side of #. Did you mean "com.foo.Sms#get"?
                    """)
    void namesKeyAndFix_ofARule(String action, String key, String value, String message) {
        assertThatThrownBy(() -> policy("guard.rules.a.action", action, "guard.rules.a." + key, value))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void refusesRulesThatContradictEachOther() {
        assertThatThrownBy(() -> policy(
                        "guard.rules.a.action", "allow",
                        "guard.rules.a.from", "zhejiang/*",
                        "guard.rules.b.action", "deny",
                        "guard.rules.b.from", "zhejiang/*"))
                .hasMessage("highway.guard.rules.b.action: \"deny\" contradicts the rule \"a\", which matches the same"
                        + " calls and has the action allow. Remove one of them");
    }

    @Test
    void refusesAHomeThatContradicts() {
        assertThatThrownBy(() -> policy("guard.home", "10.0.0.0/8", "guard.require", "nothing"))
                .hasMessageStartingWith("highway.guard.require: \"nothing\" contradicts highway.guard.home");
        assertThatThrownBy(() -> policy("guard.home", "10.0.0.1", "guard.gateways", "10.0.0.1/32"))
                .hasMessageStartingWith("highway.guard.home: \"10.0.0.1\" is in highway.guard.gateways, too");
    }

    private static List<String> warnings(String... keysAndValues) {
        Policy policy = policy(keysAndValues);
        return GuardWarnings.of(policy.guard(), policy.signing());
    }

    @Test
    void warnsThatCallsWithoutHeadersPass_whereSomethingIsDemandedOfTheOthers() {
        String advice = ", and a call without route headers passes as a call from home, from any peer; write"
                + " highway.guard.gateways with the addresses of the gateways, or highway.guard.home with those of the"
                + " callers at home";

        assertThat(warnings("sign.accept.zj", "open sesame"))
                .containsExactly("highway.sign.accept.* demands signatures" + advice);
        assertThat(warnings("guard.rules.a.action", "deny")).containsExactly("highway.guard.rules.* are set" + advice);
        assertThat(warnings("guard.unknown-callers", "refuse", "guard.callers.zhejiang/*.owner", "li"))
                .contains("highway.guard.unknown-callers is refuse" + advice);
        assertThat(warnings("sign.accept.zj", "open sesame", "guard.gateways", "10.0.0.1"))
                .isEmpty();
        assertThat(warnings("sign.accept.zj", "open sesame", "guard.home", "10.0.0.1"))
                .isEmpty();
        assertThat(warnings("sign.accept.zj", "open sesame", "guard.require", "headers"))
                .isEmpty();
        assertThat(warnings()).isEmpty();
    }

    @Test
    void warnsOfNamesOfGateways_thatAloneDecideWhoIsHome() {
        assertThat(warnings("guard.gateways", "10.0.0.1,gateway.test"))
                .containsExactly("highway.guard.gateways has names (gateway.test), and highway.guard.home is not set: a"
                        + " gateway passes as home until its name is resolved, and with a new address until DNS and this"
                        + " process's cache of it have the address; write highway.guard.home, highway.guard.require, or"
                        + " addresses");
        assertThat(warnings("guard.gateways", "gateway.test", "guard.home", "10.0.0.0/8"))
                .isEmpty();
        assertThat(warnings("guard.gateways", "gateway.test", "guard.require", "headers"))
                .isEmpty();
        assertThat(GuardWarnings.ofMetadata(guard("guard.gateways", "gateway.test", "guard.require", "headers")))
                .hasSize(1);
        assertThat(GuardWarnings.ofMetadata(guard("guard.gateways", "10.0.0.1", "guard.require", "headers")))
                .isEmpty();
    }

    @Test
    void warnsOfShadowMode() {
        assertThat(warnings("guard.mode", "shadow", "guard.gateways", "10.0.0.1"))
                .containsExactly(
                        "highway.guard.mode is shadow: ingress, rules and rates refuse nothing; write enforce once"
                                + " what they report is what shall be refused");
    }

    @ParameterizedTest
    @CsvSource({
        ", zhejiang/*, false",
        "zhejiang/*, zhejiang/*, true",
        "zhejiang/*, zhejiang/shop, false",
        "zhejiang/*, zhe*/*, true",
        "zhejiang/shop, zhejiang/shop, true",
        "zhejiang/shop, */shop, true",
        "zhejiang/shop, */sh*, true",
        "zhejiang/shop, zhejiang/*, true",
        "zhe*/*, zhejiang/*, false",
        "zhejiang/sh*, zhejiang/shop, false",
        "beijing/*, zhejiang/*, false",
        ", */*, true"
    })
    void warnsOfACaller_thatNoKeyProves(String acceptFrom, String from, boolean proven) {
        List<String> keys = new ArrayList<>(List.of(
                "sign.accept.zj", "open sesame", "guard.gateways", "10.0.0.1", "guard.rules.a.action", "allow"));
        keys.addAll(List.of("guard.rules.a.from", from));
        if (acceptFrom != null) {
            keys.addAll(List.of("sign.accept-from.zj", acceptFrom));
        }

        List<String> warnings = warnings(keys.toArray(String[]::new));
        keys.addAll(List.of("guard.callers." + from + ".owner", "shop team"));
        assertThat(warnings(keys.toArray(String[]::new)))
                .hasSize(proven ? 0 : 2)
                .filteredOn(warning -> warning.startsWith("highway.guard.callers." + from + ".owner is for nobody"))
                .hasSize(proven ? 0 : 1);

        assertThat(warnings).hasSize(proven ? 0 : 1).allSatisfy(warning -> assertThat(warning)
                .startsWith(
                        "highway.guard.rules.a.from: \"" + from + "\" matches nobody, because no key proves it; write"
                                + " highway.sign.accept-from.<key-id> with the island"));
    }

    private interface Base {
        void inherited();
    }

    private interface Bank extends Base {
        void transfer();
    }

    @Test
    void warnsOfRulesThatMatchNoMethodOfAService() {
        GuardPolicy guard = guard(
                "guard.rules.a.action",
                "deny",
                "guard.rules.a.to",
                Bank.class.getName() + "#transfr," + Bank.class.getName() + "#inher*," + Base.class.getName()
                        + "#inherited,com.foo.Other#any,any");

        assertThat(GuardWarnings.of(guard, Bank.class.getName(), Bank.class))
                .containsExactly(
                        "highway.guard.rules.a.to: \"" + Bank.class.getName() + "#transfr\" matches no method of "
                                + Bank.class.getName()
                                + ", so it does nothing; its methods are inherited, transfer; did you mean"
                                + " \"transfer\"?",
                        "highway.guard.rules.a.to: \"" + Base.class.getName()
                                + "#inherited\" names a super-interface of "
                                + Bank.class.getName() + ", and rules match the exported interface only; write "
                                + Bank.class.getName() + "#inherited, too");
    }

    @ParameterizedTest
    @CsvSource({
        "HIGHWAY_GUARD_GATEWAYS, highway.guard.gateways",
        "HIGHWAY_GUARD_MODE, highway.guard.mode",
        "HIGHWAY_GUARD_RULES_NO_TRANSFERS_ACTION, highway.guard.rules.no-transfers.action",
        "HIGHWAY_GUARD_RULES_RATE_RATE, highway.guard.rules.rate.rate",
        "HIGHWAY_GUARD_RULES_A_ACTON, highway.guard.rules.a.acton"
    })
    void knowsTheKeyOfAnEnvironmentVariable(String variable, String key) {
        assertThat(ConfigurationSources.fromEnvironment(variable)).isEqualTo(key);
    }

    @Test
    void knowsRelaxedSpellings() {
        assertThat(ConfigurationSources.fromRelaxed("highway.guard.Gateways")).isEqualTo("highway.guard.gateways");
        assertThat(ConfigurationSources.fromRelaxed("highway.guard.rules.no-transfers.Action"))
                .isEqualTo("highway.guard.rules.no-transfers.action");
    }

    @ParameterizedTest
    @CsvSource({
        "get*, com.foo.Sms, get, true",
        "get*get, com.foo.Sms, get, false",
        "get*et, com.foo.Sms, get, false",
        "*, com.foo.Sms, get, true",
        "com.foo.*#*, com.foo.Sms, get, true",
        "com.foo.Sms#*, com.foo.SmsX, get, false",
        "com.*.Sms#get, com.foo.bar.Sms, get, true",
        "com.foo.*foo.Sms#get, com.foo.Sms, get, false"
    })
    void matchesAStarOnce_withoutOverlap(String pattern, String type, String method, boolean matches) {
        assertThat(new MethodPatterns(List.of(pattern)).matches(type, method)).isEqualTo(matches);
    }
}
