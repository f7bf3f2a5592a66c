// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import io.highway.tools.conformance.cases.Case;
import io.highway.tools.conformance.cases.Cases;
import io.highway.tools.gateways.GatewayKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("network")
class ConformanceTest {

    /** One of each kind; run.sh has them all. */
    private static final Set<String> SOME = Set.of(
            "routing to each island",
            "unknown island",
            "group and version",
            "two applications",
            "call modes",
            "business exceptions",
            "response attachments",
            "server stream",
            "deadline",
            "TLS without a certificate",
            "gateway resends");

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    @Timeout(150)
    void findsNoFailure_inTheReferenceGateway() throws Exception {
        Path folder = Path.of("target", "conformance-test");

        boolean good = run(folder, one -> SOME.contains(one.name()));

        List<String> lines = printed.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).noneMatch(line -> line.contains(" failed  "));
        assertThat(lines.get(lines.size() - 1))
                .matches("conformance reference: \\d+ passed, 0 failed, \\d+ not supported");
        assertThat(good).isTrue();
        assertThat(JSON.parseObject(Files.readString(folder.resolve("reference.json"))))
                .containsEntry("gateway", "reference")
                .containsEntry("failed", 0);
        assertThat(ProcessHandle.current().children()).isEmpty();
    }

    @Test
    void namesEveryCaseOnce() {
        assertThat(Cases.all().stream().map(Case::name)).doesNotHaveDuplicates();
    }

    @Test
    void excusesOnlyCasesThatThereAre() throws Exception {
        List<String> names = Cases.all().stream().map(Case::name).toList();
        for (String gateway :
                List.of("envoy", "nginx", "haproxy", "scg", "scg-mvc", "zuul", "edge", "reference", "custom")) {
            assertThat(KnownLimits.of(gateway).names()).as(gateway).isSubsetOf(names);
        }
    }

    private boolean run(Path folder, Predicate<Case> wanted) throws Exception {
        Files.createDirectories(folder);
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        return new ConformanceRun(folder, Cases.all().stream().filter(wanted).toList(), true, false, out)
                .of(GatewayKind.REFERENCE);
    }
}
