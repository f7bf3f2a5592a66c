// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.docs;

import static io.highway.sdk.spring.docs.Manifests.files;
import static io.highway.sdk.spring.docs.Manifests.read;
import static io.highway.sdk.spring.docs.Manifests.resources;
import static io.highway.sdk.spring.docs.Manifests.written;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The files of {@code tools/gateways/kubernetes}: by the schemas of their resources, and by what their page and the wire contract say. */
@Tag("any-dubbo")
class KubernetesGatewaysTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Path FOLDER = ROOT.resolve("tools/gateways/kubernetes");

    static Stream<Path> manifests() {
        return files(FOLDER);
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void followTheSchemas(Path file) {
        assertThat(resources(read(file))).isNotEmpty().allSatisfy(resource -> assertThat(
                        resource.getMetadata().getName())
                .isNotEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "services.yaml, appProtocol",
        "gateway-api.yaml, gatewayClassName",
        "gateway-api.yaml, sectionName",
        "gateway-api.yaml, responseHeaderModifier",
        "gateway-api.yaml, request",
        "istio.yaml, credentialName",
        "istio.yaml, attempts",
        "istio.yaml, exact",
        "istio.yaml, directResponse",
        "istio.yaml, applyTo",
        "istio.yaml, mtls",
        "higress.yaml, pathType",
    })
    void aMisspeltFieldIsFound(String file, String field) {
        String misspelt = read(FOLDER.resolve(file)).replaceFirst("\\b" + field + ":", field + "s:");

        assertThatThrownBy(() -> resources(misspelt)).hasMessageContaining(field + "s");
    }

    @Test
    void theFieldOfTheExperimentalChannelIsThere() {
        String experimental = read(FOLDER.resolve("gateway-api.yaml")).replace("# retry:", "retry:");

        assertThat(resources(experimental)).isNotEmpty();
        assertThat(written(experimental)).anySatisfy(route -> assertThat(
                        route.at("/spec/rules/0/retry/attempts").asInt(-1))
                .isZero());
    }

    @Test
    void routesOfTheGatewayApi() {
        List<JsonNode> routes = ofKind("gateway-api.yaml", "GRPCRoute", "HTTPRoute");

        assertThat(routes).hasSize(2).allSatisfy(route -> assertThat(route.at("/spec/rules"))
                .isNotEmpty()
                .allSatisfy(rule -> {
                    assertThat(rule.path("matches")).isNotEmpty().allSatisfy(match -> assertThat(match.path("headers"))
                            .anySatisfy(header ->
                                    assertThat(header.path("name").asText()).isEqualTo("highway-island")));
                    assertThat(rule.at("/filters/0/responseHeaderModifier/remove/0")
                                    .asText())
                            .isEqualTo("highway-not-forwarded");
                    String path = rule.at("/matches/0/path/value").asText();
                    assertThat(rule.path("backendRefs"))
                            .isNotEmpty()
                            .allSatisfy(backend -> assertLeadsTo(backend.path("name"), backend.path("port"), path));
                    assertThat(rule.at("/timeouts/request").asText())
                            .isEqualTo(route.path("kind").asText().equals("HTTPRoute") ? "0s" : "");
                }));
    }

    @Test
    void routesOfIstio() {
        JsonNode all = ofKind("istio.yaml", "VirtualService").get(0).at("/spec/http");
        List<JsonNode> routes =
                elements(all).filter(route -> route.has("route")).toList();
        JsonNode last = all.get(all.size() - 1);

        assertThat(routes).hasSize(2).allSatisfy(route -> {
            assertThat(route.path("match")).isNotEmpty().allSatisfy(match -> assertThat(
                            match.path("headers").has("highway-island"))
                    .isTrue());
            assertThat(route.at("/retries/attempts").asInt(-1)).isZero();
            assertThat(route.at("/headers/response/remove/0").asText()).isEqualTo("highway-not-forwarded");
            String path = route.at("/match/0/uri/prefix").asText();
            assertThat(route.path("route"))
                    .isNotEmpty()
                    .allSatisfy(backend -> assertLeadsTo(
                            backend.at("/destination/host"), backend.at("/destination/port/number"), path));
        });
        assertThat(last.at("/directResponse/status").asInt()).isEqualTo(502);
        assertThat(last.at("/headers/response/set/highway-not-forwarded").asText())
                .startsWith("%REQ(highway-island)%;");
    }

    /** Envoy's part of the filter has no schema here. */
    @Test
    void istioStatesWhatItDidNotForward_asEnvoyDoes() {
        JsonNode envoy = written(read(ROOT.resolve("tools/gateways/envoy/minimal.yaml")))
                .get(0)
                .findValue("local_reply_config");

        assertThat(ofKind("istio.yaml", "EnvoyFilter").get(0).findValue("local_reply_config"))
                .isNotNull()
                .isEqualTo(envoy);
    }

    @Test
    void routesOfHigress() {
        assertThat(ofKind("higress.yaml", "Ingress")).hasSize(2).allSatisfy(ingress -> {
            JsonNode annotations = ingress.at("/metadata/annotations");
            String path = ingress.at("/spec/rules/0/http/paths/0/path").asText();
            JsonNode service = ingress.at("/spec/rules/0/http/paths/0/backend/service");
            assertThat(annotations.path("higress.io/proxy-next-upstream").asText())
                    .isEqualTo("off");
            assertThat(annotations.has("higress.io/exact-match-header-highway-island"))
                    .isTrue();
            assertThat(annotations
                            .path("higress.io/response-header-control-remove")
                            .asText())
                    .isEqualTo("highway-not-forwarded");
            assertThat(annotations.path("higress.io/backend-protocol").asText())
                    .isEqualTo(path.startsWith("/highway/") ? "" : "GRPC");
            assertLeadsTo(service.path("name"), service.at("/port/number"), path);
        });
    }

    /** The HTTP tunnel to a port of HTTP/1.1, Triple to one of HTTP/2. */
    private static void assertLeadsTo(JsonNode service, JsonNode port, String path) {
        assertThat(ofKind("services.yaml", "Service")).anySatisfy(there -> {
            assertThat(there.at("/metadata/name")).isEqualTo(service);
            assertThat(there.at("/spec/ports/0/port")).isEqualTo(port);
            assertThat(there.at("/spec/ports/0/appProtocol").asText())
                    .isEqualTo(path.startsWith("/highway/") ? "http" : "kubernetes.io/h2c");
        });
    }

    @Test
    void thePageLinksEachFile() {
        String page = read(ROOT.resolve("docs/guides/kubernetes.md"));

        assertThat(manifests()).isNotEmpty().allSatisfy(file -> assertThat(page)
                .contains("](../../tools/gateways/kubernetes/" + file.getFileName() + ")"));
    }

    private static List<JsonNode> ofKind(String file, String... kinds) {
        return written(read(FOLDER.resolve(file))).stream()
                .filter(resource ->
                        List.of(kinds).contains(resource.path("kind").asText()))
                .toList();
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
