// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import io.highway.sdk.dubbo.intent.Intent;
import io.highway.sdk.dubbo.intent.ReferenceIntents;
import io.highway.sdk.dubbo.policy.HighwayConfigurationException;
import io.highway.sdk.dubbo.policy.Policy;
import io.highway.sdk.dubbo.route.RouteDecider;
import io.highway.sdk.dubbo.route.RouteDecision.Refusal;
import io.highway.sdk.dubbo.transport.TripleServers;
import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.common.url.component.ServiceConfigURL;
import org.apache.dubbo.config.ConfigInitializer;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.ServiceConfig;

/**
 * Reads the configuration before the first reference or service, so that a mistake fails the start-up; lets a reference
 * start without a provider at home if all its calls go to islands; and lets proxies reach Triple providers.
 */
@Activate
public final class HighwayConfigInitializer implements ConfigInitializer {

    @Override
    @SuppressWarnings("rawtypes") // Dubbo's signature
    public void initReferConfig(ReferenceConfig reference) {
        Policy policy = HighwayRouting.of(reference.getScopeModel().getApplicationModel())
                .policyIfEnabled();
        if (policy == null) {
            return;
        }
        ReferenceIntents intents = intents(reference);
        intents.declared(policy).forEach(intent -> requireWay(reference, intent, policy));
        if (intents.isBound(policy)) {
            reference.setCheck(false);
        }
    }

    private static void requireWay(ReferenceConfig<?> reference, Intent intent, Policy policy) {
        Refusal hopeless = RouteDecider.hopeless(intent, policy);
        if (hopeless != null) {
            throw new HighwayConfigurationException(
                    "reference to " + reference.getInterface()
                            + (reference.getId() == null ? "" : " (id " + reference.getId() + ")"),
                    "it asks for " + intent + ", but " + hopeless.what(),
                    hopeless.advice());
        }
    }

    @Override
    @SuppressWarnings("rawtypes") // Dubbo's signature
    public void initServiceConfig(ServiceConfig service) {
        Policy policy =
                HighwayRouting.of(service.getScopeModel().getApplicationModel()).policyIfEnabled();
        if (policy != null) {
            for (Object protocol : service.getProtocols()) {
                TripleServers.serveGateways(
                        service.getScopeModel().getApplicationModel().getFrameworkModel(), (ProtocolConfig) protocol);
            }
        }
    }

    private static ReferenceIntents intents(ReferenceConfig<?> reference) {
        Map<String, String> parameters =
                reference.getParameters() == null ? new HashMap<>() : new HashMap<>(reference.getParameters());
        parameters.put("interface", reference.getInterface());
        return ReferenceIntents.of(new ServiceConfigURL("consumer", "", 0, reference.getInterface(), parameters));
    }
}
