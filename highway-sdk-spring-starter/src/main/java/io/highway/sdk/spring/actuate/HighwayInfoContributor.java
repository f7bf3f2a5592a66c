// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.policy.Policy;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** Adds home and the known islands to {@code /actuator/info}. */
record HighwayInfoContributor(HighwayRuntime runtime) implements InfoContributor {

    @Override
    public void contribute(Info.Builder builder) {
        Policy policy = runtime.policyIfEnabled();
        if (policy != null) {
            Map<String, Object> highway = new LinkedHashMap<>();
            highway.put("home", policy.home());
            highway.put("islands", policy.knownIslands().stream().sorted().toList());
            highway.put("policy", policy.version());
            builder.withDetail("highway", highway);
        }
    }
}
