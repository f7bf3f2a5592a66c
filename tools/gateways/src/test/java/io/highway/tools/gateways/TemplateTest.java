// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.highway.tools.gateway.GatewayConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {

    @Test
    void replacesPortsAndRepeatsIslands() {
        Template template = new Template(
                "test",
                """
                listen 0.0.0.0:20880
                # for each island:
                to shanghai over 20991
                # end
                next gateway.hub.test:20990
                """);

        String rendered = template.render(
                Map.of("0.0.0.0:20880", "127.0.0.1:1", "gateway.hub.test:20990", "127.0.0.1:2"),
                List.of(Map.of("shanghai", "beijing", "20991", "3"), Map.of("shanghai", "wuhan", "20991", "4")));

        assertThat(rendered)
                .isEqualTo(
                        """
                        listen 127.0.0.1:1
                        to beijing over 3
                        to wuhan over 4
                        next 127.0.0.1:2
                        """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "# for each provider:\na\n# end\n",
                "# for each island:\na\n",
                "a\n# end\n",
                "# for each island:\n# for each island:\na\n# end\n# end\n"
            })
    void refusesMarkersItDoesNotKnow(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Template("test", text).render(Map.of(), List.of()))
                .withMessageStartingWith("test ");
    }

    @Test
    void refusesToReplaceWhatIsNotThere() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Template("test", "listen 1\n").render(Map.of("listen 2", "listen 3"), List.of()))
                .withMessage("test does not contain: listen 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Template("test", "# for each island:\na\n# end\n")
                        .render(Map.of(), List.of(Map.of("b", "c"))))
                .withMessage("test does not contain: b");
    }

    @Test
    void refusesToLeaveAPathOfARealSystem() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new Template("test", "# log /var/log/a\nlog /var/log/b\n").render(Map.of(), List.of()))
                .withMessage("test would still contain: log /var/log/b");
        assertThat(new Template("test", "log /var/log/b\n").render(Map.of("/var/log/b", "/tmp/var/log/b"), List.of()))
                .isEqualTo("log /tmp/var/log/b\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "envoy/zhejiang.yaml",
                "envoy/hub.yaml",
                "nginx/zhejiang.conf",
                "nginx/hub.conf",
                "haproxy/zhejiang.cfg",
                "haproxy/hub.cfg",
                "apisix/zhejiang/config.yaml",
                "apisix/zhejiang/apisix.yaml",
                "apisix/hub/config.yaml",
                "apisix/hub/apisix.yaml",
                "reference/zhejiang.yaml",
                "reference/hub.yaml"
            })
    void namesNoIslandOutsideOfBlocks(String file) throws IOException {
        Map<String, String> nothingReal = Map.of("/etc/highway", "", "/var/log/", "", "0.0.0.0", "", "/run/", "");

        String rendered = Template.of(file).render(present(file, nothingReal), List.of(Map.of("shanghai", "wuhan")));

        assertThat(rendered.lines().filter(line -> !line.strip().startsWith("#")))
                .anyMatch(line -> line.contains("wuhan"))
                .noneMatch(line -> line.contains("shanghai"));
    }

    private static Map<String, String> present(String file, Map<String, String> values) throws IOException {
        String text = Template.of(file).toString();
        return values.entrySet().stream()
                .filter(value -> text.contains(value.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Test
    void theReferenceGatewayReadsItsFiles(@TempDir Path folder) throws IOException {
        Map<String, String> listen = Map.of("0.0.0.0:20880", "127.0.0.1:20880");

        Path star = Template.of("reference/zhejiang.yaml")
                .write(folder.resolve("zhejiang.yaml"), listen, List.of(Map.of("shanghai", "wuhan")));
        Path minimal = Template.of("reference/minimal.yaml").write(folder.resolve("minimal.yaml"), listen, List.of());

        assertThat(GatewayConfig.load(star)).isNotNull();
        assertThat(GatewayConfig.load(minimal)).isNotNull();
    }
}
