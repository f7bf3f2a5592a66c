// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.alibaba.fastjson2.JSON;
import io.highway.tools.conformance.cases.Case;
import io.highway.tools.conformance.cases.Cases;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.fixtures.time.Waiting;
import io.highway.tools.gateways.GatewayKind;
import io.highway.tools.gateways.Protocol;
import io.highway.tools.processes.Processes;
import io.highway.tools.processes.Star;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("network")
class ConformanceTest {

    private static final String RESENDS = "gateway resends";

    /** One of each kind; run.sh has them all. */
    private static final Set<String> SOME = Set.of(
            "routing to each island",
            "unknown island",
            "caller without the SDK",
            "group and version",
            "two applications",
            "call modes",
            "business exceptions",
            "response attachments",
            "server stream",
            "deadline",
            "TLS without a certificate",
            RESENDS);

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    @Timeout(150)
    void findsNoFailure_inTheReferenceGateway() throws Exception {
        Path folder = Path.of("target", "conformance-test");

        boolean good = run(folder, one -> SOME.contains(one.name()), false).of(GatewayKind.REFERENCE);

        List<String> lines = lines();
        assertThat(lines).noneMatch(line -> line.contains(" failed  "));
        assertThat(lines.get(lines.size() - 1))
                .matches("conformance reference: \\d+ passed, 0 failed, \\d+ not supported");
        assertThat(good).isTrue();
        assertThat(JSON.parseObject(Files.readString(folder.resolve("reference.json"))))
                .containsEntry("gateway", "reference")
                .containsEntry("failed", 0);
        assertThat(ProcessHandle.current().children()).isEmpty();
    }

    /** Needs Envoy, which {@code .ci/run} installs. */
    @Test
    @Timeout(150)
    void findsTheRetriesOfIstio_andNamesTheSetting() throws Exception {
        Path folder = Path.of("target", "conformance-istio");
        boolean good;
        try {
            good = run(folder, one -> one.name().equals(RESENDS), true).of(GatewayKind.ENVOY);
        } catch (IllegalStateException e) {
            assumeThat(e).as("Envoy is installed").hasMessageNotContaining("there is no envoy here");
            throw e;
        }

        assertThat(good).isFalse();
        assertThat(lines()).anySatisfy(line -> assertThat(line)
                .contains(
                        RESENDS,
                        "triple",
                        " failed  ",
                        "ran again when their provider halted",
                        "retry_policy",
                        "retry_on"));
        assertThat(Files.readString(folder.resolve("beijing-provider.2.log"))
                        + Files.readString(folder.resolve("beijing-provider.3.log")))
                .as("what the guard of the provider logs that got the second attempt")
                .contains("sends calls again", "x-envoy-attempt-count is 2");
    }

    /** With the reference gateway in that place. */
    @Test
    @Timeout(150)
    void checksAGatewayOfTheUser_whoseProviderHalts() throws Exception {
        Path folder = Path.of("target", "conformance-custom");
        int port = FreePorts.next();
        String entrance = "gateway.zhejiang.test:" + port;
        Map<String, String> everyIsland = Map.of(CustomStar.ANY, entrance);
        CustomStar star = new CustomStar(
                Map.of(Protocol.DUBBO, everyIsland, Protocol.TRIPLE, everyIsland, Protocol.HTTP, everyIsland));
        ConformanceRun run = run(folder, one -> one.name().equals(RESENDS), false);
        CompletableFuture<Boolean> good = new CompletableFuture<>();
        Thread kit = new Thread(() -> {
            try {
                good.complete(run.custom(star, 60));
            } catch (Exception e) {
                good.completeExceptionally(e);
            }
        });
        kit.start();
        boolean waits = Waiting.until(
                Duration.ofSeconds(90),
                50,
                () -> good.isDone() || lines().stream().anyMatch(line -> line.startsWith("Waiting")));
        assertThat(waits).isTrue();

        try (Processes processes = new Processes(folder.resolve("gateway"))) {
            processes.startGateway(
                    "gateway",
                    Star.gateway(
                            "zhejiang", port, "", Map.of("shanghai", route("shanghai"), "beijing", route("beijing"))));

            assertThat(good.get()).as(String.join("\n", lines())).isTrue();
            assertThat(lines().get(lines().size() - 1))
                    .isEqualTo("conformance custom: 3 passed, 0 failed, 0 not supported");
        }
    }

    /** As the kit prints it. */
    private String route(String island) {
        Matcher printed = Pattern.compile(" +" + island + " +dubbo (\\S+) +triple (\\S+) +http (\\S+)")
                .matcher(lines().stream()
                        .filter(line -> line.strip().startsWith(island + " "))
                        .findFirst()
                        .orElseThrow());
        assertThat(printed.matches()).isTrue();
        return Processes.providers(printed.group(1), printed.group(2), printed.group(3));
    }

    @Test
    void namesEveryCaseOnce() {
        assertThat(Cases.all().stream().map(Case::name)).doesNotHaveDuplicates();
    }

    @Test
    void theReadmeHasEveryCase() throws Exception {
        String readme = Files.readString(Path.of("README.md"));

        assertThat(Cases.all()).allSatisfy(one -> assertThat(readme).contains("`" + one.name() + "`"));
    }

    @Test
    void excusesOnlyCasesThatThereAre() throws Exception {
        List<String> names = Cases.all().stream().map(Case::name).toList();
        for (String gateway : List.of(
                "envoy", "nginx", "haproxy", "apisix", "scg", "scg-mvc", "zuul", "edge", "reference", "custom")) {
            assertThat(KnownLimits.of(gateway).names()).as(gateway).isSubsetOf(names);
        }
    }

    private ConformanceRun run(Path folder, Predicate<Case> wanted, boolean resends) throws Exception {
        Files.createDirectories(folder);
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        return new ConformanceRun(folder, Cases.all().stream().filter(wanted).toList(), true, resends, false, out);
    }

    private List<String> lines() {
        return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
