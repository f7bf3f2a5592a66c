// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.entry;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.caller.route.IntentResolver;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecider;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision.Refusal;
import io.highway.sdk.dubbo.internal.caller.route.ServiceInterfaceResolver;
import io.highway.sdk.dubbo.internal.policy.GuardWarnings;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyWarnings;
import io.highway.sdk.dubbo.internal.provider.server.ServerContext;
import io.highway.sdk.dubbo.internal.provider.server.TripleWindows;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.common.url.component.ServiceConfigURL;
import org.apache.dubbo.config.AbstractConfig;
import org.apache.dubbo.config.ConfigInitializer;
import org.apache.dubbo.config.MethodConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.context.ConfigManager;
import org.apache.dubbo.rpc.Constants;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * Reads the configuration before the first reference or service, so that an error fails start-up. It also lets a
 * reference start without a provider or registry at home if all its calls go to islands, and lets proxies reach Triple
 * providers.
 */
@Activate
public final class HighwayConfigInitializer implements ConfigInitializer {

    @Override
    @SuppressWarnings("rawtypes") // Dubbo's signature
    public void initReferConfig(ReferenceConfig reference) {
        HighwayRuntime runtime = HighwayRuntime.of(reference.getScopeModel().getApplicationModel());
        Policy policy = runtime.policyIfEnabled();
        if (policy != null) {
            requireCluster(reference);
            IntentResolver intents = intents(reference);
            intents.declared(policy).forEach(intent -> {
                Refusal refusal = hopeless(intent, reference, policy);
                if (refusal != null && runtime.isByARule(before -> hopeless(intent, reference, before) == null)) {
                    runtime.warnings()
                            .once(name(reference) + " asks for " + intent + ", and its calls are refused: "
                                    + refusal.what() + " (policy " + policy.version() + " from "
                                    + runtime.policyState().source() + "). " + refusal.advice());
                } else {
                    require(reference, intent, refusal);
                }
            });
            if (intents.isBound(policy)) {
                reference.setCheck(false);
                if (!hasRegistry(reference)) { // which Dubbo asks for: home is what this JVM serves then
                    reference.setScope(Constants.SCOPE_LOCAL);
                }
            }
            Class<?> type = ServiceInterfaceResolver.of(reference);
            if (type != null) {
                new PolicyWarnings(policy)
                        .ofPatterns(reference.getInterface(), type)
                        .forEach(runtime.warnings()::once);
            }
        } else if (runtime.isUnconfigured()) {
            intents(reference)
                    .declaredUnconfigured()
                    .forEach(intent -> require(reference, intent, RouteDecider.unconfigured(intent)));
        } else {
            noteIgnored(reference, runtime);
        }
    }

    /** Whether Dubbo has an address, of a registry or of providers, for this reference. */
    private static boolean hasRegistry(ReferenceConfig<?> reference) {
        ConfigManager application =
                reference.getScopeModel().getApplicationModel().getApplicationConfigManager();
        return reference.getUrl() != null
                || Stream.concat(Stream.ofNullable(reference.getRegistries()), Stream.of(application.getRegistries()))
                        .flatMap(Collection::stream)
                        .anyMatch(registry -> !RegistryConfig.NO_AVAILABLE.equalsIgnoreCase(registry.getAddress()));
    }

    private static @Nullable Refusal hopeless(Intent intent, ReferenceConfig<?> reference, Policy policy) {
        return RouteDecider.hopeless(intent, reference.getInterface(), policy);
    }

    /** Without a cluster Dubbo calls no cluster extension, so requests for an island would be ignored. */
    private static void requireCluster(ReferenceConfig<?> reference) {
        Map<String, String> parameters =
                Objects.requireNonNullElse(reference.getParameters(), Map.<String, String>of());
        boolean mesh = Boolean.parseBoolean(parameters.get(CommonConstants.MESH_ENABLE))
                || (reference.getConsumer() != null
                        && Boolean.TRUE.equals(reference.getConsumer().getMeshEnable()));
        if (mesh && Boolean.TRUE.equals(reference.getUnloadClusterRelated())) {
            throw new HighwayConfigurationException(
                    name(reference),
                    "unload-cluster-related=true leaves out the cluster, where calls to islands are routed",
                    "Write unload-cluster-related=false, or highway.enabled=false");
        }
    }

    private static void require(ReferenceConfig<?> reference, Intent intent, @Nullable Refusal refusal) {
        if (refusal != null) {
            throw new HighwayConfigurationException(
                    name(reference), "it asks for " + intent + ", but " + refusal.what(), refusal.advice());
        }
    }

    /** While the highway is switched off, an invalid island of a reference must not fail start-up. */
    private static void noteIgnored(ReferenceConfig<?> reference, HighwayRuntime runtime) {
        try {
            List<String> asked = intents(reference)
                    .declaredUnconfigured()
                    .map(Intent::toString)
                    .distinct()
                    .toList();
            if (!asked.isEmpty()) {
                runtime.warnings().ignored(name(reference) + ": " + String.join(", ", asked));
            }
        } catch (HighwayConfigurationException e) {
            runtime.warnings().ignored(e.key() + ": " + e.problem());
        }
    }

    private static String name(ReferenceConfig<?> reference) {
        return "reference to " + reference.getInterface()
                + (reference.getId() == null ? "" : " (id " + reference.getId() + ")");
    }

    @Override
    @SuppressWarnings("rawtypes") // Dubbo's signature
    public void initServiceConfig(ServiceConfig service) {
        HighwayRuntime runtime = HighwayRuntime.of(service.getScopeModel().getApplicationModel());
        Policy policy = runtime.policyIfEnabled();
        if (policy != null) {
            Class<?> type = service.getInterfaceClass();
            if (type != null) {
                GuardWarnings.of(policy.guard(), service.getInterface(), type).forEach(runtime.warnings()::once);
            }
            ApplicationModel application = runtime.application();
            ServerContext.of(application.getFrameworkModel()).serve(application, policy, callersIsland -> {
                IslandPolicy present = runtime.policy().forIsland(callersIsland);
                return present == null ? null : present.wire().dictionary();
            });
            for (Object protocol : service.getProtocols()) {
                TripleWindows.set(application, (ProtocolConfig) protocol);
            }
        }
    }

    private static IntentResolver intents(ReferenceConfig<?> reference) {
        Map<String, String> parameters = new HashMap<>(); // as Dubbo writes them into the reference's URL
        AbstractConfig.appendParameters(parameters, reference.getApplication());
        AbstractConfig.appendParameters(parameters, reference.getConsumer());
        AbstractConfig.appendParameters(parameters, reference);
        for (MethodConfig method : Objects.requireNonNullElse(reference.getMethods(), List.<MethodConfig>of())) {
            AbstractConfig.appendParameters(parameters, method, method.getName());
        }
        parameters.put("interface", reference.getInterface());
        return IntentResolver.of(
                ServiceInterfaceResolver.of(reference),
                new ServiceConfigURL("consumer", "", 0, reference.getInterface(), parameters));
    }
}
