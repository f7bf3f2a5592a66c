// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.istio.api.networking.v1.VirtualService;
import io.fabric8.istio.api.networking.v1alpha3.EnvoyFilter;
import io.fabric8.istio.api.security.v1.PeerAuthentication;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.GRPCRoute;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.Gateway;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads manifests strictly. */
final class Manifests {

    private static final Map<String, Class<? extends HasMetadata>> TYPES = Map.ofEntries(
            Map.entry("v1/ConfigMap", ConfigMap.class),
            Map.entry("v1/Secret", Secret.class),
            Map.entry("v1/Service", Service.class),
            Map.entry("apps/v1/Deployment", Deployment.class),
            Map.entry("apps/v1/StatefulSet", StatefulSet.class),
            Map.entry("policy/v1/PodDisruptionBudget", PodDisruptionBudget.class),
            Map.entry("networking.k8s.io/v1/Ingress", Ingress.class),
            Map.entry("gateway.networking.k8s.io/v1/Gateway", Gateway.class),
            Map.entry("gateway.networking.k8s.io/v1/GRPCRoute", GRPCRoute.class),
            Map.entry("gateway.networking.k8s.io/v1/HTTPRoute", HTTPRoute.class),
            Map.entry("networking.istio.io/v1/Gateway", io.fabric8.istio.api.networking.v1.Gateway.class),
            Map.entry("networking.istio.io/v1/VirtualService", VirtualService.class),
            Map.entry("networking.istio.io/v1alpha3/EnvoyFilter", EnvoyFilter.class),
            Map.entry("security.istio.io/v1/PeerAuthentication", PeerAuthentication.class));

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The types of the model collect the fields that they do not know; here they refuse them. */
    private static final ObjectMapper STRICT = JsonMapper.builder()
            .annotationIntrospector(new WithoutOtherFields())
            .build();

    private static final class WithoutOtherFields extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public Boolean hasAnySetter(Annotated annotated) {
            return false;
        }
    }

    private Manifests() {}

    static Stream<Path> files(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Iterable<Object> documents(String yaml) {
        LoaderOptions strict = new LoaderOptions();
        strict.setAllowDuplicateKeys(false);
        return new Yaml(new SafeConstructor(strict)).loadAll(yaml);
    }

    /** Each resource as it is written. */
    static List<JsonNode> written(String yaml) {
        List<JsonNode> written = new ArrayList<>();
        documents(yaml).forEach(document -> written.add(JSON.valueToTree(document)));
        return written;
    }

    /** Each resource as the type that its kind names; a field that the type does not have is an error. */
    static List<HasMetadata> resources(String yaml) {
        List<HasMetadata> resources = new ArrayList<>();
        for (JsonNode written : written(yaml)) {
            String type = written.path("apiVersion").asText() + "/"
                    + written.path("kind").asText();
            assertThat(TYPES).containsKey(type);
            try {
                HasMetadata resource = STRICT.treeToValue(written, TYPES.get(type));
                assertThat(leaves(JSON.valueToTree(resource)))
                        .as("%s as it was read", type)
                        .containsAll(leaves(written));
                resources.add(resource);
            } catch (JsonProcessingException e) {
                throw new AssertionError(type + ": " + e.getMessage(), e);
            }
        }
        return resources;
    }

    /** Paths with values. What Istio's model reads as one of several types is read without errors for unknown fields. */
    private static List<String> leaves(JsonNode node) {
        List<String> leaves = new ArrayList<>();
        addLeaves("", node, leaves);
        return leaves;
    }

    private static void addLeaves(String path, JsonNode node, List<String> leaves) {
        if (node.isObject()) {
            node.fieldNames().forEachRemaining(name -> addLeaves(path + "/" + name, node.get(name), leaves));
        } else if (node.isArray()) {
            for (int at = 0; at < node.size(); at++) {
                addLeaves(path + "/" + at, node.get(at), leaves);
            }
        } else {
            leaves.add(path + "=" + node.asText());
        }
    }
}
