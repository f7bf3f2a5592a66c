// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.docs;

import static io.highway.sdk.spring.docs.Manifests.documents;
import static io.highway.sdk.spring.docs.Manifests.files;
import static io.highway.sdk.spring.docs.Manifests.read;
import static io.highway.sdk.spring.docs.Manifests.resources;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.dubbo.internal.policy.source.PolicyCheckCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.actuate.autoconfigure.availability.AvailabilityHealthContributorAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.availability.AvailabilityProbesAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.health.HealthContributorAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.health.HealthEndpointAutoConfiguration;
import org.springframework.boot.actuate.health.HealthEndpointGroups;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The Kubernetes manifests of {@code docs/guides/production}: by Kubernetes' schema, by our keys, and by what the page says. */
@Tag("any-dubbo")
class ManifestsTest {

    private static final Path FOLDER = Path.of("").toAbsolutePath().getParent().resolve("docs/guides/production");

    @TempDir
    static Path folder;

    static Stream<Path> manifests() {
        return files(FOLDER);
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void followTheSchemaOfKubernetes(Path file) {
        assertThat(resources(read(file))).isNotEmpty().allSatisfy(resource -> assertThat(
                        resource.getMetadata().getName())
                .isNotEmpty());
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void aMisspeltFieldIsFound(Path file) {
        String misspelt = read(file).replaceFirst("terminationGracePeriodSeconds", "terminationGracePeriodSecond");

        assertThatThrownBy(() -> resources(misspelt)).hasMessageContaining("\"terminationGracePeriodSecond\"");
        assertThatThrownBy(() -> resources(read(file).replaceFirst("periodSeconds: 5", "periodSeconds: often")))
                .hasMessageContaining("often");
    }

    private static Stream<PodTemplateSpec> templates(Path file) {
        return resources(read(file)).stream().flatMap(resource -> {
            if (resource instanceof Deployment deployment) {
                return Stream.of(deployment.getSpec().getTemplate());
            }
            return resource instanceof StatefulSet set ? Stream.of(set.getSpec().getTemplate()) : Stream.empty();
        });
    }

    private static Stream<Container> containers(Path file) {
        return templates(file).flatMap(template -> template.getSpec().getContainers().stream());
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void noProbeAsksForTheHealthOfGateways(Path file) {
        assertThat(containers(file)
                        .flatMap(container -> Stream.of(
                                container.getLivenessProbe(),
                                container.getReadinessProbe(),
                                container.getStartupProbe()))
                        .filter(probe -> probe != null && probe.getHttpGet() != null)
                        .map(Probe::getHttpGet))
                .allSatisfy(get ->
                        assertThat(get.getPath()).isIn("/actuator/health/liveness", "/actuator/health/readiness"));
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void whatIsMountedIsDefined_andSelectorsMatch(Path file) {
        List<HasMetadata> all = resources(read(file));
        templates(file).forEach(template -> {
            PodSpec spec = template.getSpec();
            List<String> volumes =
                    spec.getVolumes().stream().map(volume -> volume.getName()).toList();
            spec.getContainers().forEach(container -> assertThat(container.getVolumeMounts())
                    .allSatisfy(mount -> assertThat(volumes).contains(mount.getName()))
                    .allSatisfy(mount -> assertThat(mount.getSubPath()).isNull())
                    .hasSameSizeAs(volumes));
        });
        Map<String, String> labels = templates(file)
                .map(template -> template.getMetadata().getLabels())
                .findFirst()
                .orElseThrow();
        assertThat(all).allSatisfy(resource -> {
            if (resource instanceof Service service) {
                assertThat(service.getSpec().getSelector()).isEqualTo(labels);
            } else if (resource instanceof Deployment deployment) {
                assertThat(deployment.getSpec().getSelector().getMatchLabels()).isEqualTo(labels);
            } else if (resource instanceof StatefulSet set) {
                assertThat(set.getSpec().getSelector().getMatchLabels()).isEqualTo(labels);
                assertThat(all)
                        .anyMatch(other -> other instanceof Service
                                && other.getMetadata()
                                        .getName()
                                        .equals(set.getSpec().getServiceName()));
            } else if (resource instanceof PodDisruptionBudget budget) {
                assertThat(budget.getSpec().getSelector().getMatchLabels()).isEqualTo(labels);
            }
        });
    }

    /** The application's configuration in a ConfigMap, flat. */
    private static Map<String, String> application(Path file) {
        Map<String, String> keys = new TreeMap<>();
        resources(read(file)).stream()
                .filter(ConfigMap.class::isInstance)
                .map(map -> ((ConfigMap) map).getData().get("application.yml"))
                .filter(yaml -> yaml != null)
                .forEach(yaml -> flatten("", documents(yaml).iterator().next(), keys));
        return keys;
    }

    private static void flatten(String key, Object value, Map<String, String> flat) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, inner) -> flatten(key.isEmpty() ? name.toString() : key + "." + name, inner, flat));
        } else {
            flat.put(key, String.valueOf(value));
        }
    }

    static Stream<Path> applications() {
        return Stream.of("caller.yaml", "provider.yaml").map(FOLDER::resolve);
    }

    @ParameterizedTest
    @MethodSource("applications")
    void theConfigurationIsValid(Path file) throws IOException {
        Map<String, String> keys = application(file);
        String mounted = "file:/run/secrets/highway/";
        for (Map.Entry<String, String> key : keys.entrySet()) {
            if (key.getValue().startsWith(mounted)) {
                Path secret = Files.writeString(folder.resolve(key.getValue().substring(mounted.length())), "secret");
                key.setValue("file:" + secret);
            }
        }
        keys.keySet().removeIf(key -> !key.startsWith("highway."));

        assertThat(keys).containsKey("highway.island");
        assertThat(PolicyParser.parse(RawSettings.of(keys, "test"), "docs", null))
                .isPresent();
    }

    /** Without the tag, healthy applications look like one whose processes have different policies. */
    @ParameterizedTest
    @MethodSource("applications")
    void theMetersHaveWhatAlertsGroupBy(Path file) {
        Map<String, String> keys = application(file);

        assertThat(keys).containsEntry("management.metrics.tags.application", "${dubbo.application.name}");
        assertThat(keys.get("management.endpoints.web.exposure.include")).contains("prometheus");
    }

    @ParameterizedTest
    @MethodSource("applications")
    void theEndpointsOfTheRunbookAreExposed(Path file) throws IOException {
        String runbook = Files.readString(FOLDER.resolve("../../operate/operations.md"));
        String exposed = application(file).get("management.endpoints.web.exposure.include");

        assertThat(Pattern.compile("/actuator/(\\w+)")
                        .matcher(runbook)
                        .results()
                        .map(id -> id.group(1)))
                .isNotEmpty()
                .isSubsetOf(exposed.split(",", -1));
    }

    @Test
    void aProviderBeginsWithoutRefusals_andKnowsItsHome() {
        assertThat(application(FOLDER.resolve("provider.yaml")))
                .containsEntry("highway.guard.mode", "shadow")
                .containsEntry("highway.sign.mode", "shadow")
                .containsKeys("highway.guard.gateways", "highway.guard.home");
    }

    @ParameterizedTest
    @MethodSource("applications")
    void aPodHasTimeToEnd(Path file) {
        Map<String, String> keys = application(file);
        long dubbo = Long.parseLong(keys.get("dubbo.service.shutdown.wait")) / 1000;
        String phase = keys.getOrDefault("spring.lifecycle.timeout-per-shutdown-phase", "30s");
        long spring = Long.parseLong(phase.replace("s", ""));

        assertThat(templates(file).toList()).singleElement().satisfies(template -> {
            long sleep = template.getSpec()
                    .getContainers()
                    .get(0)
                    .getLifecycle()
                    .getPreStop()
                    .getSleep()
                    .getSeconds();
            assertThat(template.getSpec().getTerminationGracePeriodSeconds()).isGreaterThan(sleep + dubbo + spring);
        });
    }

    @Test
    void thePolicyIsAccepted() throws IOException {
        Path caller = FOLDER.resolve("caller.yaml");
        String rule = resources(read(caller)).stream()
                .filter(ConfigMap.class::isInstance)
                .map(map -> ((ConfigMap) map).getData().get("policy.yaml"))
                .filter(yaml -> yaml != null)
                .findFirst()
                .orElseThrow();
        StringBuilder statically = new StringBuilder();
        application(caller).forEach((key, value) -> {
            if (key.startsWith("highway.") && !key.contains(".sign.") && !key.startsWith("highway.policy.")) {
                statically.append(key).append('=').append(value).append('\n');
            }
        });
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        List<String> command = List.of(
                "check",
                Files.writeString(folder.resolve("policy.yaml"), rule).toString(),
                "--static",
                Files.writeString(folder.resolve("static.properties"), statically)
                        .toString());

        assertThat(PolicyCheckCommand.run(command, out, out))
                .as(() -> printed.toString(StandardCharsets.UTF_8))
                .isZero();
    }

    /** The gateway's pods are the addresses of caller and provider. */
    @Test
    void theGatewaysPodsAreTheConfiguredAddresses() {
        StatefulSet gateway = resources(read(FOLDER.resolve("gateway.yaml"))).stream()
                .filter(StatefulSet.class::isInstance)
                .map(StatefulSet.class::cast)
                .findFirst()
                .orElseThrow();
        String name =
                gateway.getMetadata().getName() + "-%d." + gateway.getSpec().getServiceName();
        int port = gateway.getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0)
                .getPorts()
                .get(0)
                .getContainerPort();

        assertThat(application(FOLDER.resolve("caller.yaml"))
                        .get("highway.gateways.triple")
                        .split(",", -1))
                .containsExactly(name.formatted(0) + ":" + port, name.formatted(1) + ":" + port)
                .hasSize(gateway.getSpec().getReplicas());
    }

    @Test
    void theProbesOfSpringBootDoNotContainTheHealthOfGateways() {
        Map<String, String> keys = application(FOLDER.resolve("caller.yaml"));
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        ApplicationAvailabilityAutoConfiguration.class,
                        AvailabilityHealthContributorAutoConfiguration.class,
                        AvailabilityProbesAutoConfiguration.class,
                        HealthContributorAutoConfiguration.class,
                        HealthEndpointAutoConfiguration.class))
                .withPropertyValues(keys.entrySet().stream()
                        .filter(key -> key.getKey().startsWith("management."))
                        .map(key -> key.getKey() + "=" + key.getValue())
                        .toArray(String[]::new))
                .run(context -> {
                    HealthEndpointGroups groups = context.getBean(HealthEndpointGroups.class);
                    assertThat(groups.getPrimary().isMember("highway")).isTrue();
                    for (String probe : List.of("liveness", "readiness")) {
                        assertThat(groups.get(probe)).as(probe).isNotNull();
                        assertThat(groups.get(probe).isMember("highway"))
                                .as(probe)
                                .isFalse();
                    }
                });
    }
}
