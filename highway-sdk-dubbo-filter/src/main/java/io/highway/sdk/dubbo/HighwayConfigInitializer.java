// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import io.highway.sdk.dubbo.intent.ReferenceIntents;
import io.highway.sdk.dubbo.policy.Policy;
import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.common.url.component.ServiceConfigURL;
import org.apache.dubbo.config.ConfigInitializer;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.ServiceConfig;

/**
 * Reads the configuration before the first reference or service, so that a mistake fails the start-up; and lets a
 * reference start without a provider at home if all its calls go to islands.
 */
@Activate
public final class HighwayConfigInitializer implements ConfigInitializer {

    @Override
    @SuppressWarnings("rawtypes") // Dubbo's signature
    public void initReferConfig(ReferenceConfig reference) {
        Policy policy = HighwayRouting.of(reference.getScopeModel().getApplicationModel())
                .policyIfEnabled();
        if (policy != null && intents(reference).isBound(policy)) {
            reference.setCheck(false);
        }
    }

    @Override
    @SuppressWarnings("rawtypes") // Dubbo's signature
    public void initServiceConfig(ServiceConfig service) {
        HighwayRouting.of(service.getScopeModel().getApplicationModel()).policyIfEnabled();
    }

    private static ReferenceIntents intents(ReferenceConfig<?> reference) {
        Map<String, String> parameters =
                reference.getParameters() == null ? new HashMap<>() : new HashMap<>(reference.getParameters());
        parameters.put("interface", reference.getInterface());
        return ReferenceIntents.of(new ServiceConfigURL("consumer", "", 0, reference.getInterface(), parameters));
    }
}
