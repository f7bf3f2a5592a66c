// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.dubbo.internal.policy.RawSettings.Setting;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.dubbo.common.config.Environment;
import org.jspecify.annotations.Nullable;

/** Collects the keys from Dubbo's configuration sources, and knows how each source spells them. */
public final class ConfigurationSources {

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

    private static final Pattern BRACKETS = Pattern.compile("\\.?\\[([^]]*)]");

    private static final Pattern KUBERNETES_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

    /** The variables that Kubernetes sets for a service whose name begins with {@code highway}. */
    private static final Pattern KUBERNETES = Pattern.compile(
            "(\\w*_)?(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)");

    private static final Pattern ENVIRONMENT_RULE = Pattern.compile("GUARD_RULES_([A-Z0-9_]+?)_("
            + String.join("|", HighwayKeys.PER_RULE).toUpperCase(Locale.ROOT) + ")");

    private static final Pattern ENVIRONMENT_ISLAND = Pattern.compile("ISLANDS_([A-Z0-9_]+?)_(" + endings() + ")");

    private ConfigurationSources() {}

    /**
     * Collects the keys from Dubbo's sources, strongest first: system properties, environment variables, config centre,
     * application, {@code dubbo.properties}. Environment variables are written {@code HIGHWAY_ISLANDS_SHANGHAI_TUNNEL}.
     */
    public static RawSettings collect(Environment environment) {
        return collect(environment, 0);
    }

    /** Collects the keys from Dubbo's sources except the process's system properties and environment variables. */
    public static RawSettings collectConfigured(Environment environment) {
        return collect(environment, SOURCES.indexOf("config centre, for this application"));
    }

    private static RawSettings collect(Environment environment, int strongest) {
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
                    String full = name.startsWith(ENVIRONMENT_PREFIX) ? fromEnvironment(name, text) : name;
                    if (full != null && full.startsWith(HighwayKeys.PREFIX)) {
                        found.putIfAbsent(full, new Setting(text.trim(), origin));
                    }
                }
            });
        }
        return new RawSettings(found);
    }

    /**
     * The key that an environment variable means, such as {@code highway.max-hops} for {@code HIGHWAY_MAX_HOPS} and
     * {@code HIGHWAY_MAXHOPS}. An upper-case name has no hyphens and dots, so the known keys determine where they were.
     *
     * @return the key, which may be unknown if the name looks like a typing error; null for a foreign variable, such as
     *     {@code HIGHWAY_SERVICE_HOST}, which Kubernetes sets for a service named {@code highway}, and
     *     {@code HIGHWAY_HTTP_PORT} with a value such as {@code tcp://10.0.0.1:80}
     */
    public static @Nullable String fromEnvironment(String variable, String value) {
        boolean isKubernetes = KUBERNETES_ADDRESS.matcher(value).matches()
                && KUBERNETES
                        .matcher(variable.substring(ENVIRONMENT_PREFIX.length()))
                        .matches();
        return isKubernetes ? null : fromEnvironment(variable);
    }

    static @Nullable String fromEnvironment(String variable) {
        String rest = variable.substring(ENVIRONMENT_PREFIX.length());
        for (String key : HighwayKeys.general().keySet()) {
            if (rest.matches(upperCase(key))) {
                return HighwayKeys.PREFIX + key;
            }
        }
        for (String key : HighwayKeys.PER_ISLAND) {
            if (rest.matches("DEFAULTS_" + upperCase(key))) {
                return HighwayKeys.PREFIX + "defaults." + key;
            }
        }
        Matcher island = ENVIRONMENT_ISLAND.matcher(rest);
        if (island.matches()) {
            String id = island.group(1).toLowerCase(Locale.ROOT).replace('_', '-');
            for (String key : HighwayKeys.ofIsland().keySet()) {
                if (island.group(2).matches(upperCase(key))) {
                    return HighwayKeys.PREFIX + "islands." + id + "." + key;
                }
            }
        }
        Matcher rule = ENVIRONMENT_RULE.matcher(rest);
        if (rule.matches()) {
            String name = rule.group(1).toLowerCase(Locale.ROOT).replace('_', '-');
            return HighwayKeys.PREFIX + HighwayKeys.RULES + name + "."
                    + rule.group(2).toLowerCase(Locale.ROOT);
        }
        String unknown = rest.toLowerCase(Locale.ROOT).replace('_', '.');
        if (KUBERNETES.matcher(rest).matches()) {
            return null;
        }
        boolean ours = HighwayKeys.GROUPS.stream().anyMatch(group -> (unknown + ".").startsWith(group + "."))
                || Suggestions.find(unknown, HighwayKeys.general().keySet()) != null;
        return ours ? HighwayKeys.PREFIX + unknown : null;
    }

    /**
     * The key that a relaxed spelling means: {@code highway.maxHops} and {@code highway.max_hops} are
     * {@code highway.max-hops}, {@code highway.services[com.foo.Sms].island} is {@code highway.services.com.foo.Sms.island}. A
     * name that is not a key in any spelling is returned unchanged.
     */
    public static String fromRelaxed(String spelled) {
        String written = BRACKETS.matcher(spelled).replaceAll(".$1");
        String rest = written.substring(HighwayKeys.PREFIX.length());
        int first = rest.indexOf('.');
        int second = rest.indexOf('.', first + 1);
        int last = rest.lastIndexOf('.');
        return switch (first < 0 ? "" : rest.substring(0, first)) {
            case "defaults" -> known(rest, first, HighwayKeys.PER_ISLAND);
            case "islands" ->
                second < 0
                        ? written
                        : known(rest, second, HighwayKeys.ofIsland().keySet());
            case "services" -> known(rest, last, HighwayKeys.PER_SERVICE);
            case "sign" -> group(SigningKeys.ACCEPT_FROM, rest, second);
            case "guard" ->
                rest.startsWith(HighwayKeys.RULES)
                        ? known(rest, last, HighwayKeys.PER_RULE)
                        : group(HighwayKeys.STANDS_IN_FOR, rest, second);
            default -> general(rest);
        };
    }

    /** A key below a group of two parts, which is spelled as it is; else a general one. */
    private static String group(String group, String rest, int second) {
        return second > 0 && plain(rest.substring(0, second + 1)).equals(plain(group))
                ? HighwayKeys.PREFIX + group + rest.substring(second + 1)
                : general(rest);
    }

    private static String general(String rest) {
        return known(rest, -1, HighwayKeys.general().keySet());
    }

    /** The full key, with what follows the dot spelled as one of the keys. */
    private static String known(String rest, int dot, Collection<String> keys) {
        String written = rest.substring(dot + 1);
        String plain = plain(written);
        return HighwayKeys.PREFIX
                + rest.substring(0, dot + 1)
                + keys.stream()
                        .filter(key -> plain(key).equals(plain))
                        .findFirst()
                        .orElse(written);
    }

    private static String plain(String key) {
        return key.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    private static String endings() {
        return HighwayKeys.ofIsland().keySet().stream()
                .map(ConfigurationSources::upperCase)
                .collect(Collectors.joining("|"));
    }

    /** As a pattern: hyphens become underscores, or nothing, as Spring Boot writes them. */
    private static String upperCase(String key) {
        return key.toUpperCase(Locale.ROOT).replace('.', '_').replace("-", "_?");
    }
}
