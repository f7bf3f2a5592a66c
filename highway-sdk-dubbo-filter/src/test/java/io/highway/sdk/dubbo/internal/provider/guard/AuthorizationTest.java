// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.internal.policy.GuardRule;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.dubbo.internal.provider.guard.Authorization.Verdict;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuthorizationTest {

    private static final Caller SHOP = Caller.of("zhejiang", "shop");

    /** Rules from lines {@code name action from to rate}, a dash for what is absent. */
    private static List<GuardRule> rules(String... lines) {
        Map<String, String> keys = new TreeMap<>(Map.of("highway.island", "shanghai"));
        for (String line : lines) {
            String[] parts = line.split(" ");
            for (int i = 1; i < parts.length; i++) {
                if (!parts[i].equals("-")) {
                    keys.put(
                            "highway.guard.rules." + parts[0] + "."
                                    + List.of("action", "from", "to", "rate").get(i - 1),
                            parts[i]);
                }
            }
        }
        return PolicyParser.parse(RawSettings.of(keys, "test"), "static", null)
                .orElseThrow()
                .guard()
                .rules();
    }

    private static Authorization decide(List<GuardRule> rules, Caller caller, String method) {
        return Authorization.decide(rules, false, caller, "com.foo.Bank", method, method);
    }

    @Test
    void allowsEverything_withoutRules() {
        assertThat(decide(List.of(), SHOP, "transfer").verdict()).isEqualTo(Verdict.ALLOWED);
        assertThat(decide(List.of(), null, "transfer").verdict()).isEqualTo(Verdict.ALLOWED);
    }

    @Test
    void deniesFirst_whateverIsAllowed_andByWhateverName() {
        List<GuardRule> rules = rules("a allow zhejiang/* com.foo.Bank#*", "z deny - com.foo.Bank#transfer");

        Authorization denied = decide(rules, SHOP, "transfer");
        Authorization allowed = decide(rules, SHOP, "balance");

        assertThat(denied.verdict()).isEqualTo(Verdict.DENIED);
        assertThat(denied.rule().name()).isEqualTo("z");
        assertThat(allowed.verdict()).isEqualTo(Verdict.ALLOWED);
        assertThat(allowed.rule().name()).isEqualTo("a");
    }

    @Test
    void refusesWhatNoAllowRuleMatches_ifThereIsAny() {
        List<GuardRule> rules = rules("a allow zhejiang/* balance", "b audit");

        assertThat(decide(rules, SHOP, "transfer").verdict()).isEqualTo(Verdict.NOT_ALLOWED);
        assertThat(decide(rules, Caller.of("beijing", "shop"), "balance").verdict())
                .isEqualTo(Verdict.NOT_ALLOWED);
        assertThat(decide(rules, null, "balance").verdict()).isEqualTo(Verdict.NOT_ALLOWED);
        assertThat(decide(rules, null, "balance").rule()).isNull();
    }

    @Test
    void allowsWhatNoDenyRuleMatches_ifNoRuleAllows() {
        List<GuardRule> rules = rules("a deny beijing/* -", "b audit - transfer");

        assertThat(decide(rules, SHOP, "transfer").verdict()).isEqualTo(Verdict.ALLOWED);
        assertThat(decide(rules, null, "transfer").verdict()).isEqualTo(Verdict.ALLOWED);
        assertThat(decide(rules, Caller.of("beijing", "any"), "transfer").verdict())
                .isEqualTo(Verdict.DENIED);
    }

    @Test
    void marksOnly_whatAnAuditRuleMatches() {
        List<GuardRule> rules = rules("a audit */shop transfer", "b deny beijing/* -");

        assertThat(decide(rules, SHOP, "transfer").audit().name()).isEqualTo("a");
        assertThat(decide(rules, SHOP, "transfer").verdict()).isEqualTo(Verdict.ALLOWED);
        assertThat(decide(rules, SHOP, "balance").audit()).isNull();
        assertThat(decide(rules, Caller.of("beijing", "shop"), "transfer")
                        .audit()
                        .name())
                .isEqualTo("a");
    }

    @Test
    void matchesACallerWithoutAName_byRulesWithoutFromOnly() {
        assertThat(decide(rules("a allow */* -"), null, "any").verdict()).isEqualTo(Verdict.NOT_ALLOWED);
        assertThat(decide(rules("a allow - -"), null, "any").verdict()).isEqualTo(Verdict.ALLOWED);
        assertThat(decide(rules("a deny - -"), null, "any").verdict()).isEqualTo(Verdict.DENIED);
        assertThat(decide(rules("a deny */* -"), null, "any").verdict()).isEqualTo(Verdict.ALLOWED);
    }

    @Test
    void countsForEveryRuleWithARate_thatAllowsIt() {
        List<GuardRule> rules = rules(
                "a allow */* -", "b allow zhejiang/* - 10/s", "c allow zhejiang/shop - 5/s", "d allow beijing/* - 1/s");

        assertThat(decide(rules, SHOP, "any").limits())
                .extracting(GuardRule::name)
                .containsExactly("b", "c");
        assertThat(decide(rules, Caller.of("jiangsu", "x"), "any").limits()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "zhejiang/*, KEY, false",
        "zhejiang/*, ISLAND, true",
        "zhejiang/*, APPLICATION, true",
        "zhejiang/shop, ISLAND, false",
        "zhejiang/shop, APPLICATION, true",
        "*/shop, ISLAND, false",
        "*/shop, APPLICATION, true",
        "zh*/*, KEY, false",
        "*/*, KEY, true"
    })
    void allowsVerifiedCallersOnly_whereSignaturesAreDemanded(String from, Caller.Proof proof, boolean allowed) {
        Caller caller = Caller.signed("zhejiang", "shop", "zj1", proof);
        List<GuardRule> rules = rules("a allow " + from + " -");

        assertThat(Authorization.decide(rules, true, caller, "com.foo.Bank", "any", "any")
                                .verdict()
                        == Verdict.ALLOWED)
                .isEqualTo(allowed);
        assertThat(Authorization.decide(rules, false, caller, "com.foo.Bank", "any", "any")
                        .verdict())
                .as("not demanded")
                .isEqualTo(Verdict.ALLOWED);
    }

    /** It gains nothing by the name. */
    @Test
    void deniesACaller_thatOnlyClaimsTheName() {
        List<GuardRule> rules = rules("a deny zhejiang/shop -");

        assertThat(Authorization.decide(rules, true, SHOP, "com.foo.Bank", "any", "any")
                        .verdict())
                .isEqualTo(Verdict.DENIED);
    }

    /** Of generated stubs, Triple sends another case than Java's; an interface may have a method that begins with it. */
    @Test
    void deniesAndAuditsByEitherName_andAllowsByTheMethods() {
        assertThat(Authorization.decide(rules("a deny - Transfer"), false, SHOP, "com.foo.Bank", "transfer", "Transfer")
                        .verdict())
                .isEqualTo(Verdict.DENIED);
        assertThat(Authorization.decide(
                                rules("a audit - Transfer"), false, SHOP, "com.foo.Bank", "transfer", "Transfer")
                        .audit())
                .isNotNull();
        assertThat(Authorization.decide(
                                rules("a allow - Transfer"), false, SHOP, "com.foo.Bank", "transfer", "Transfer")
                        .verdict())
                .isEqualTo(Verdict.NOT_ALLOWED);
    }

    @ParameterizedTest
    @CsvSource({
        "transfer, com.foo.Bank, transfer, false",
        "transfer, com.foo.Bank, transferAll, true",
        "transfer*, com.foo.Bank, transferAll, false",
        "transfer, com.foo.Bank, Transfer, true",
        "com.foo.Bank#*, com.foo.BankX, transfer, true",
        "com.foo.*#transfer, com.foo.Bank, transfer, false",
        "*, com.foo.Bank, anything, false",
        "'*', com.foo.Bank, $invoke, false",
        "'com.foo.Base#transfer', com.foo.Bank, transfer, true"
    })
    void matchesInterfaceAndMethod_asTheyAreCalled(String to, String service, String method, boolean allowed) {
        assertThat(Authorization.decide(rules("a deny - " + to), false, SHOP, service, method, method)
                                .verdict()
                        == Verdict.ALLOWED)
                .isEqualTo(allowed);
    }
}
