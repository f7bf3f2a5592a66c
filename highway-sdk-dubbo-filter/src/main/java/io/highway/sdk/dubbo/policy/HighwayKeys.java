// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.policy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.dubbo.common.config.Environment;

/** Every {@code highway.*} key there is, and how they are collected from Dubbo's configuration sources. */
public final class HighwayKeys {

    /** What every key starts with. */
    public static final String PREFIX = "highway.";

    static final List<String> GENERAL = List.of(
            "enabled",
            "island",
            "gateways.dubbo",
            "gateways.triple",
            "unknown-islands",
            "sign.key-id",
            "sign.secret",
            "max-hops");

    /** Keys of one island, which also hold for all islands below {@code defaults}. */
    static final List<String> PER_ISLAND = List.of(
            "tunnel",
            "gateways.dubbo",
            "gateways.triple",
            "fallback",
            "timeout",
            "retries",
            "idempotent",
            "max-request-bytes",
            "serialization",
            "deny");

    /** Keys that only make sense for a single island. */
    static final List<String> ONE_ISLAND = List.of("keys");

    /** What a longer key starts with. */
    static final List<String> GROUPS = List.of("defaults", "gateways", "islands", "services", "sign");

    static final List<String> PER_SERVICE = List.of("island", "when");

    private static final String ENVIRONMENT_PREFIX = "HIGHWAY_";
    private static final Pattern ENVIRONMENT_ISLAND = Pattern.compile("ISLANDS_([A-Z0-9_]+?)_(" + endings() + ")");

    private HighwayKeys() {}

    /**
     * Collects the keys from Dubbo's sources, strongest first: system properties, environment variables, config centre,
     * application, {@code dubbo.properties}. Environment variables are written {@code HIGHWAY_ISLANDS_SHANGHAI_TUNNEL}.
     */
    public static Map<String, String> collect(Environment environment) {
        Map<String, String> found = new LinkedHashMap<>();
        for (Map<String, String> source : environment.getConfigurationMaps()) {
            Map<Object, Object> copy; // whatever the generics say: system properties may hold anything
            synchronized (source) { // as Dubbo does: system properties may change meanwhile
                copy = new LinkedHashMap<>(source);
            }
            copy.forEach((key, value) -> {
                if (key instanceof String name && value instanceof String text) {
                    String full = name.startsWith(ENVIRONMENT_PREFIX) ? fromEnvironment(name) : name;
                    if (full.startsWith(PREFIX)) {
                        found.putIfAbsent(full, text.trim());
                    }
                }
            });
        }
        return found;
    }

    /** An upper-case name loses hyphens and dots, so the known keys say where they were. */
    static String fromEnvironment(String variable) {
        String rest = variable.substring(ENVIRONMENT_PREFIX.length());
        for (String key : GENERAL) {
            if (upperCase(key).equals(rest)) {
                return PREFIX + key;
            }
        }
        for (String key : PER_ISLAND) {
            if (("DEFAULTS_" + upperCase(key)).equals(rest)) {
                return PREFIX + "defaults." + key;
            }
        }
        Matcher island = ENVIRONMENT_ISLAND.matcher(rest);
        if (island.matches()) {
            String id = island.group(1).toLowerCase(Locale.ROOT).replace('_', '-');
            for (List<String> keys : List.of(PER_ISLAND, ONE_ISLAND)) {
                for (String key : keys) {
                    if (upperCase(key).equals(island.group(2))) {
                        return PREFIX + "islands." + id + "." + key;
                    }
                }
            }
        }
        return PREFIX + rest.toLowerCase(Locale.ROOT).replace('_', '.');
    }

    private static String endings() {
        return String.join("|", PER_ISLAND.stream().map(HighwayKeys::upperCase).toList()) + "|"
                + String.join(
                        "|", ONE_ISLAND.stream().map(HighwayKeys::upperCase).toList());
    }

    private static String upperCase(String key) {
        return key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }
}
