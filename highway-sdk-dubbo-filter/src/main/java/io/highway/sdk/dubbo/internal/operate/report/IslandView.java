// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import io.highway.sdk.dubbo.HighwayReport.Endpoint;
import io.highway.sdk.dubbo.HighwayReport.Setting;
import io.highway.sdk.dubbo.internal.caller.endpoint.GatewayEndpoint;
import io.highway.sdk.dubbo.internal.policy.HighwayKeys;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a report and an explanation show of an island in the same way. */
final class IslandView {

    private IslandView() {}

    /** The settings of calls to an island: of services with separate gateways, or of all others. */
    static Map<String, Setting> settings(String id, String services, Policy policy) {
        Map<String, Setting> settings = new TreeMap<>();
        HighwayKeys.ofIsland()
                .forEach((name, builtIn) -> settings.put(name, setting(id, services, name, builtIn, policy)));
        return Collections.unmodifiableMap(settings);
    }

    /**
     * Looks a key up as the parser does: below its services, below the island's id, below {@code defaults}, home's value for gateways, the
     * built-in default.
     */
    private static Setting setting(String id, String services, String name, String builtIn, Policy policy) {
        String island = "islands." + id + ".";
        for (String key :
                List.of(island + "services." + services + "." + name, island + name, "defaults." + name, name)) {
            RawSettings.Setting setting = policy.settings().get(HighwayKeys.PREFIX + key);
            if (setting != null) {
                String value = HighwayKeys.shown(name, setting.value());
                return new Setting(value, HighwayKeys.PREFIX + key, setting.origin());
            }
        }
        return new Setting(builtIn, null, "default");
    }

    static Endpoint endpoint(GatewayEndpoint endpoint) {
        Duration roundTrip = endpoint.roundTrip();
        return new Endpoint(
                endpoint.address().kind(),
                endpoint.address().hostAndPort(),
                endpoint.status(),
                endpoint.problem(),
                roundTrip == null ? null : roundTrip.toMillis());
    }
}
