// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.policy;

import io.highway.sdk.dubbo.HighwaySettings;
import io.highway.sdk.dubbo.HighwaySettings.Setting;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.dubbo.common.config.Environment;
import org.jspecify.annotations.Nullable;

/** All {@code highway.*} keys, and their collection from Dubbo's configuration sources. */
public final class HighwayKeys {

    /** The prefix of every key. */
    public static final String PREFIX = "highway.";

    /** Every general key with its default: a value, or a description if there is none. */
    private static final Map<String, String> GENERAL_BUILT_IN = new KeyDefaults()
            .key("enabled", "true")
            .key("island", "required")
            .key("gateways.dubbo", "none")
            .key("gateways.triple", "none")
            .key("gateways.connect-timeout", "3s")
            .key("gateways.connections", "1")
            .key("max-buffered", "an eighth of the heap")
            .key("gateways.max-bytes-in-flight", "a quarter of the JVM's direct memory, at least 64MB")
            .keys(TlsKeys.BUILT_IN)
            .key("unknown-islands", "refuse")
            .key("heartbeat.interval", "10s")
            .key("heartbeat.slow", "1s")
            .key("heartbeat.service", "one that this process uses there")
            .key("sign.key-id", "off")
            .key("sign.secret", "off")
            .key("sign.mode", "enforce")
            .key("sign.version", "the newest")
            .key("sign.accept-versions", "the newest")
            .key("sign.max-nonces", "1000000")
            .key("max-hops", "3")
            .key("doctor", "none")
            .keys(AuditKeys.BUILT_IN)
            .keys(GuardKeys.BUILT_IN)
            .keys(PolicySourceKeys.BUILT_IN)
            .build();

    static final List<String> GENERAL = List.copyOf(GENERAL_BUILT_IN.keySet());

    /** Keys that only make sense for a single island. */
    static final List<String> ONE_ISLAND = List.of("dictionary", "sign.key-id", "sign.secret", "keys");

    /** Every key of an island with its default: a value, or a description if there is none. */
    private static final Map<String, String> BUILT_IN = new KeyDefaults()
            .key("tunnel", "auto")
            .key("gateways.dubbo", "none")
            .key("gateways.triple", "none")
            .key("gateways.connect-timeout", "that of highway.gateways.connect-timeout")
            .keys(TlsKeys.BUILT_IN)
            .key("fallback", "none")
            .key("timeout", "the reference's, else 3s")
            .key("retries", "0")
            .key("idempotent", "none")
            .key("max-request-size", "4MB")
            .key("serialization", "hessian2")
            .key("compression", "none")
            .key("dictionary", "none")
            .key("max-concurrent", "unlimited")
            .key("max-wait", "0")
            .key("bulk.methods", "none")
            .key("bulk.over", "none")
            .key("bulk.max-concurrent", "auto")
            .key("bulk.max-wait", "10s")
            .key("breaker.failure-rate", "50")
            .key("breaker.slow-call", "none")
            .key("deny", "none")
            .key("sign.key-id", "that of highway.sign.key-id")
            .key("sign.secret", "that of highway.sign.secret")
            .key("keys", "the id itself")
            .build();

    /** Keys of one island that can also be set for all islands below {@code defaults}. */
    static final List<String> PER_ISLAND =
            BUILT_IN.keySet().stream().filter(key -> !ONE_ISLAND.contains(key)).toList();

    /** The first parts of longer keys. */
    static final List<String> GROUPS = List.of(
            "audit",
            "defaults",
            "dictionaries",
            "gateways",
            "guard",
            "heartbeat",
            "islands",
            "policy",
            "services",
            "sign");

    /** The groups that a rule of the dynamic policy may name; those with a dot at the end hold several keys. */
    public static final List<String> RULE_GROUPS = List.of(
            "gateways.dubbo",
            "gateways.triple",
            "islands.",
            "services.",
            "defaults.",
            "heartbeat.",
            "unknown-islands",
            "guard.rules.",
            "guard.callers.",
            "guard.mode");

    /** Precedes the id of an island. */
    public static final String ISLANDS = "islands.";

    /** Precedes the name of a dictionary. */
    public static final String DICTIONARIES = "dictionaries.";

    /** Precedes the pattern of services with gateways of their own, below an island. */
    static final String SERVICES = "services.";

    /** What can be set for some services of an island. */
    static final List<String> OF_SERVICES = List.of("gateways.dubbo", "gateways.triple");

    static final List<String> PER_SERVICE = List.of("island", "when", "require-island");

    /** Dubbo's sources in order of precedence. */
    private static final List<String> SOURCES = List.of(
            "system property",
            "environment variable",
            "config centre, for this application",
            "config centre",
            "application",
            "dubbo.properties");

    /** The prefix of every environment variable. */
    public static final String ENVIRONMENT_PREFIX = "HIGHWAY_";

    /** The variables that Kubernetes sets for a service whose name begins with {@code highway}. */
    private static final Pattern KUBERNETES = Pattern.compile(
            "(\\w*_)?(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)");

    private static final Pattern ENVIRONMENT_RULE = Pattern.compile(
            "GUARD_RULES_([A-Z0-9_]+?)_(" + String.join("|", GuardKeys.PER_RULE).toUpperCase(Locale.ROOT) + ")");

    private static final Pattern ENVIRONMENT_ISLAND = Pattern.compile("ISLANDS_([A-Z0-9_]+?)_(" + endings() + ")");

    private HighwayKeys() {}

    /** Every general key in a fixed order, with its default as text. */
    public static Map<String, String> general() {
        return GENERAL_BUILT_IN;
    }

    /**
     * Whether the value of a key is a secret, or may be one by mistake, and is never shown.
     *
     * @param key with or without {@code highway.}, or below an island
     */
    public static boolean isSecret(String key) {
        return key.endsWith("-password") || ("." + key).contains(".sign.");
    }

    /** The island whose key it is, or null; the key has no prefix. */
    public static @Nullable String islandOf(String key) {
        if (!key.startsWith(ISLANDS)) {
            return null;
        }
        int dot = key.indexOf('.', ISLANDS.length());
        return key.substring(ISLANDS.length(), dot < 0 ? key.length() : dot);
    }

    /** Every key of an island in a fixed order, with its default as text. */
    public static Map<String, String> ofIsland() {
        return BUILT_IN;
    }

    /**
     * Collects the keys from Dubbo's sources, strongest first: system properties, environment variables, config centre,
     * application, {@code dubbo.properties}. Environment variables are written {@code HIGHWAY_ISLANDS_SHANGHAI_TUNNEL}.
     */
    public static HighwaySettings collect(Environment environment) {
        return collect(environment, 0);
    }

    /** Collects the keys from Dubbo's sources except the process's system properties and environment variables. */
    public static HighwaySettings collectConfigured(Environment environment) {
        return collect(environment, SOURCES.indexOf("config centre, for this application"));
    }

    private static HighwaySettings collect(Environment environment, int strongest) {
        Map<String, Setting> found = new LinkedHashMap<>();
        List<Map<String, String>> sources = environment.getConfigurationMaps();
        for (int i = strongest; i < sources.size(); i++) {
            Map<String, String> source = sources.get(i);
            String origin = SOURCES.get(i);
            Map<Object, Object> copy; // system properties may contain any type, whatever the generics declare
            synchronized (source) { // as Dubbo does: system properties may change meanwhile
                copy = new LinkedHashMap<>(source);
            }
            copy.forEach((key, value) -> {
                if (key instanceof String name && value instanceof String text) {
                    String full = name.startsWith(ENVIRONMENT_PREFIX) ? fromEnvironment(name) : name;
                    if (full != null && full.startsWith(PREFIX)) {
                        found.putIfAbsent(full, Setting.of(text.trim(), origin));
                    }
                }
            });
        }
        return HighwaySettings.of(found);
    }

    /**
     * The key that an environment variable means, such as {@code highway.max-hops} for {@code HIGHWAY_MAX_HOPS} and
     * {@code HIGHWAY_MAXHOPS}. An upper-case name has no hyphens and dots, so the known keys determine where they were.
     *
     * @return the key, which may be unknown if the name looks like a typing error; null for a foreign variable, such as
     *     {@code HIGHWAY_SERVICE_HOST}, which Kubernetes sets for a service named {@code highway}
     */
    public static @Nullable String fromEnvironment(String variable) {
        String rest = variable.substring(ENVIRONMENT_PREFIX.length());
        for (String key : GENERAL) {
            if (rest.matches(upperCase(key))) {
                return PREFIX + key;
            }
        }
        for (String key : PER_ISLAND) {
            if (rest.matches("DEFAULTS_" + upperCase(key))) {
                return PREFIX + "defaults." + key;
            }
        }
        Matcher island = ENVIRONMENT_ISLAND.matcher(rest);
        if (island.matches()) {
            String id = island.group(1).toLowerCase(Locale.ROOT).replace('_', '-');
            for (String key : BUILT_IN.keySet()) {
                if (island.group(2).matches(upperCase(key))) {
                    return PREFIX + "islands." + id + "." + key;
                }
            }
        }
        Matcher rule = ENVIRONMENT_RULE.matcher(rest);
        if (rule.matches()) {
            String name = rule.group(1).toLowerCase(Locale.ROOT).replace('_', '-');
            return PREFIX + GuardKeys.RULES + name + "." + rule.group(2).toLowerCase(Locale.ROOT);
        }
        String unknown = rest.toLowerCase(Locale.ROOT).replace('_', '.');
        if (KUBERNETES.matcher(rest).matches()) {
            return null;
        }
        boolean ours = GROUPS.stream().anyMatch(group -> (unknown + ".").startsWith(group + "."))
                || Suggestions.find(unknown, GENERAL) != null;
        return ours ? PREFIX + unknown : null;
    }

    /**
     * The key that a relaxed spelling means: {@code highway.maxHops} and {@code highway.max_hops} are
     * {@code highway.max-hops}. A name that is not a key in any spelling is returned unchanged.
     */
    public static String fromRelaxed(String written) {
        String rest = written.substring(PREFIX.length());
        int first = rest.indexOf('.');
        String group = first < 0 ? "" : rest.substring(0, first);
        return switch (group) {
            case "defaults" -> PREFIX + "defaults." + known(rest.substring(first + 1), PER_ISLAND);
            case "islands" -> {
                int second = rest.indexOf('.', first + 1);
                yield second < 0
                        ? written
                        : PREFIX + rest.substring(0, second + 1) + known(rest.substring(second + 1), BUILT_IN.keySet());
            }
            case "services" -> {
                int last = rest.lastIndexOf('.');
                yield PREFIX + rest.substring(0, last + 1) + known(rest.substring(last + 1), PER_SERVICE);
            }
            case "sign" -> {
                int second = rest.indexOf('.', first + 1);
                String name = second < 0 ? "" : rest.substring(first + 1, second);
                yield plain(name).equals("acceptfrom")
                        ? PREFIX + "sign.accept-from" + rest.substring(second)
                        : PREFIX + known(rest, GENERAL);
            }
            case "guard" -> {
                int last = rest.lastIndexOf('.');
                yield rest.startsWith(GuardKeys.RULES)
                        ? PREFIX + rest.substring(0, last + 1) + known(rest.substring(last + 1), GuardKeys.PER_RULE)
                        : PREFIX + known(rest, GENERAL);
            }
            default -> PREFIX + known(rest, GENERAL);
        };
    }

    private static String known(String written, Collection<String> keys) {
        String plain = plain(written);
        return keys.stream().filter(key -> plain(key).equals(plain)).findFirst().orElse(written);
    }

    private static String plain(String key) {
        return key.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    private static String endings() {
        return String.join(
                "|", BUILT_IN.keySet().stream().map(HighwayKeys::upperCase).toList());
    }

    /** As a pattern: hyphens become underscores, or nothing, as Spring Boot writes them. */
    private static String upperCase(String key) {
        return key.toUpperCase(Locale.ROOT).replace('.', '_').replace("-", "_?");
    }
}
