// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyCheckCommandTest {

    private static final String STATIC =
            """
            highway.island=zhejiang
            highway.gateways.dubbo=gateway:20880
            highway.islands.shanghai.tunnel=dubbo
            highway.sign.key-id=zhejiang-2026
            highway.sign.secret=salt-and-more
            other.key=x
            """;

    private static final String CURRENT =
            """
            gateways.dubbo: gateway:20880
            islands:
              shanghai: {tunnel: dubbo, timeout: 5s}
              cloud: {tunnel: dubbo}
            """;

    @TempDir
    private Path directory;

    private record Ended(int code, List<String> out, String err) {}

    private String file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    private Ended check(String... args) {
        List<String> all = new ArrayList<>(List.of("check"));
        all.addAll(List.of(args));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = PolicyCheckCommand.run(
                all,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        List<String> lines = out.toString(StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.replace(directory + "/", ""))
                .toList();
        return new Ended(code, lines, err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void tellsWhoAnswersForAnIsland() throws IOException {
        String rule = file(
                "rule.yaml",
                """
                gateways.dubbo: gateway:20880
                islands:
                  hangzhou: {tunnel: dubbo}
                  shanghai: {served-by: hangzhou, tunnel: dubbo}
                  beijing: {served-by: "beijing:95,hangzhou:5", fallback-methods: "*"}
                """);

        Ended ended = check(rule);

        assertThat(ended.code()).isZero();
        assertThat(ended.out())
                .contains(
                        "all calls for shanghai go to hangzhou",
                        "calls for beijing go to beijing (95 of 100), hangzhou (5 of 100)")
                .filteredOn(line -> line.startsWith("warning: "))
                .singleElement()
                .asString()
                .startsWith("warning: highway.islands.beijing.fallback-methods has no effect on calls to beijing");
    }

    @Test
    void namesLineAndKeyOfEveryMistake_andNoConsequences() throws IOException {
        String rule = file(
                "rule.yaml",
                """
                gateways.dubbo: gateway:20880
                islands:
                  shanghai:
                    tunnel: dubo
                  beijing: {tunnel: dubbo, timeout: 5x}
                services:
                  com.foo.Sms: {island: shanghai}
                  com.foo.Mail: {island: shangai, when: home-absent}
                sign.key-id: mine
                gaurd.mode: shadow
                guard.rules:
                  one: {action: alow, from: "*"}
                """);

        Ended ended = check(rule);

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.out())
                .filteredOn(line -> line.startsWith("rule.yaml:"))
                .extracting(line -> line.replaceAll("^rule.yaml:(\\d*):? ?([^:]*):.*", "$1 $2"))
                .contains(
                        "4 highway.islands.shanghai.tunnel",
                        "5 highway.islands.beijing.timeout",
                        "8 highway.services.com.foo.Mail.island",
                        "9 highway.sign.key-id",
                        "10 highway.gaurd.mode",
                        "12 highway.guard.rules.one.action")
                .doesNotContain("7 highway.services.com.foo.Sms.island");
        assertThat(ended.out()).last().isEqualTo("rule.yaml: refused, 6 mistakes");
    }

    @Test
    void knowsDictionariesByName_andTheBoundsOfARule() throws IOException {
        String configured = file(
                "app.properties",
                "highway.island=zhejiang\nhighway.dictionaries.orders=file:/nowhere/orders.dict\n"
                        + "highway.gateways.triple=gateway:1\nhighway.policy.fixed=fallback\n");
        String rule = "islands:\n  shanghai: {compression: zstd, dictionary: %s}\n";

        assertThat(check(file("a.yaml", rule.formatted("any"))).code()).isZero();
        assertThat(check(file("n.yaml", rule.formatted("none") + "  beijing: {dictionary: none}\n"))
                        .code())
                .isZero();
        assertThat(check(file("b.yaml", rule.formatted("orders")), "--static", configured)
                        .code())
                .isZero();
        assertThat(check(file("c.yaml", rule.formatted("order")), "--static", configured)
                        .out())
                .first()
                .asString()
                .startsWith("c.yaml:2: highway.islands.shanghai.dictionary: \"order\" is not allowed");
        assertThat(check(file("d.yaml", "islands.x:\n  fallback: home\n  retries: 1\n"), "--static", configured)
                        .out())
                .first()
                .asString()
                .startsWith("d.yaml:2: highway.islands.x.fallback: the policy may not set it: highway.policy.fixed");
        String islands = IntStream.rangeClosed(1, 1_001)
                .mapToObj("  x%d: {retries: 1}\n"::formatted)
                .collect(Collectors.joining());
        assertThat(check(file("e.yaml", "islands:\n" + islands)).out())
                .first()
                .asString()
                .startsWith("e.yaml:1002: highway.islands: the rule has more than 1000 islands");
    }

    @Test
    void namesTheLineThatIsNoYaml() throws IOException {
        Ended ended = check(file("rule.yaml", "islands:\n  shanghai: {tunnel: [}\n"));

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.out()).first().asString().startsWith("rule.yaml:2: highway.policy: not valid YAML");
    }

    @Test
    void showsWhatWouldChange() throws IOException {
        String current = file("current.yaml", CURRENT);
        String next = file(
                "next.yaml",
                """
                version: 8
                gateways.dubbo: [gateway:20880, other:20880]
                islands:
                  shanghai: {tunnel: dubbo, timeout: 7s}
                  beijing: {tunnel: dubbo}
                """);

        Ended ended = check(next, "--against", current);
        Ended same = check(current, "--against", current);

        assertThat(ended.code()).isZero();
        assertThat(ended.out().get(0)).startsWith("next.yaml: version 8 (hash ");
        assertThat(ended.out())
                .endsWith(
                        "changes against current.yaml:",
                        "  + island beijing",
                        "  - island cloud",
                        "  + gateway dubbo other:20880",
                        "  ~ highway.gateways.dubbo: gateway:20880 -> gateway:20880,other:20880",
                        "  + highway.islands.beijing.tunnel: dubbo",
                        "  - highway.islands.cloud.tunnel: dubbo",
                        "  ~ highway.islands.shanghai.timeout: 5s -> 7s");
        assertThat(same.out()).last().isEqualTo("no change against current.yaml");
    }

    @Test
    void comparesWithTheStaticConfiguration_andShowsNoSecret() throws IOException {
        String configured = file("app.properties", STATIC);
        String rule = file("rule.yaml", "islands:\n  beijing: {tunnel: dubbo}\n");

        Ended ended = check("--static", configured, rule);

        assertThat(ended.code()).isZero();
        assertThat(ended.out())
                .endsWith(
                        "changes against app.properties:",
                        "  + island beijing",
                        "  - island shanghai",
                        "  + highway.islands.beijing.tunnel: dubbo",
                        "  - highway.islands.shanghai.tunnel: dubbo");
        assertThat(String.join("\n", ended.out())).doesNotContain("salt-and-more");
    }

    @Test
    void refusesARule_thatContradictsTheStaticConfiguration() throws IOException {
        String configured = file("app.properties", STATIC + "highway.guard.mode=enforce\n");
        String rule = file("rule.yaml", "guard.mode: shadow\n");

        assertThat(check(rule).code()).isZero();
        assertThat(check(rule, "--static", configured).out())
                .first()
                .asString()
                .startsWith("rule.yaml:1: highway.guard.mode: it is set in the static configuration");
    }

    /** Spring accepts them in application.properties. */
    @Test
    void readsStaticKeysInAnySpelling() throws IOException {
        String configured = file(
                "app.properties",
                STATIC + "highway.guard.rules.no-pay.Action=deny\n"
                        + "highway.guard.callers[zhejiang/shop-*].owner=shop team\n"
                        + "highway.islands.shanghai.maxConcurrent=5\nhighway.heartbeat.Slow=1s\n");

        assertThat(check(file("good.yaml", "heartbeat.slow: 2s\n"), "--static", configured)
                        .code())
                .isZero();
        assertThat(check(file("rule.yaml", "heartbeat.slow: 2s\n"), "--static", configured)
                        .out())
                .endsWith("  ~ highway.heartbeat.slow: 1s -> 2s");
    }

    @Test
    void saysSo_ifAFileCannotBeRead_orTheCurrentRuleIsWrong() throws IOException {
        String rule = file("rule.yaml", CURRENT);
        String wrong = file("wrong.yaml", "islands: 7\n");
        Files.write(directory.resolve("latin.yaml"), new byte[] {(byte) 0xe4, '\n'});

        assertThat(check(directory.resolve("absent.yaml").toString()).code()).isEqualTo(2);
        assertThat(check(directory.resolve("latin.yaml").toString()).err()).contains("is not UTF-8");
        assertThat(check(rule, "--static", file("none.properties", "a=b")).err())
                .contains("no key that begins");
        Ended compared = check(rule, "--against", wrong);
        assertThat(compared.out()).last().isEqualTo("wrong.yaml: nothing to compare with");
        assertThat(compared.code())
                .as("a rule that replaces a wrong one can be published")
                .isZero();
    }
}
