// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.internal;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.policy.ConfigurationSources;
import io.highway.sdk.dubbo.internal.policy.HighwayKeys;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.dubbo.internal.policy.RawSettings.Setting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Scanner;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Reads the {@code highway.*} keys of Spring's environment for the policy parser, with the origin of each.
 *
 * <p>Boot's binder is not used: it ignores unknown keys, and cannot determine where an interface's name ends in
 * {@code highway.services.com.foo.SmsService.island}. Relaxed spelling is supported as there.
 */
public final class SpringSettings {

    /** Key ids may be numbers, too. */
    private static final Pattern LIST_ITEM = Pattern.compile("((?!highway\\.sign\\.accept(?:[.\\[]|(?i:[-_]?from))).*"
            + "|highway\\.sign\\.(?i:accept[-_]?from)(?:\\.[^\\[]+|\\[[^]]*]))\\[(\\d+)]");

    private static final Pattern VARIABLE_ITEM = Pattern.compile("(.*)_(\\d+)_?");
    private static final Pattern LIST_KEY = Pattern.compile(".*\\.(gateways\\.\\w+|tunnel|idempotent|deny|keys"
            + "|bulk\\.methods|guard\\.gateways|home|from|to|policy\\.fixed)");

    private static final Pattern OCTAL = Pattern.compile("0[0-7_]+");

    private SpringSettings() {}

    /**
     * Reads the keys in order of precedence and resolves placeholders.
     *
     * @param environment Spring's environment
     * @return the settings
     */
    public static RawSettings read(ConfigurableEnvironment environment) {
        Map<String, Setting> found = new LinkedHashMap<>();
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source instanceof EnumerablePropertySource<?> enumerable) {
                readSource(enumerable, environment).forEach(found::putIfAbsent);
            }
        }
        return new RawSettings(found);
    }

    private static Map<String, Setting> readSource(
            EnumerablePropertySource<?> source, ConfigurableEnvironment environment) {
        boolean variables = source instanceof SystemEnvironmentPropertySource;
        Map<String, Setting> found = new LinkedHashMap<>();
        Map<String, Map<Integer, Setting>> lists = new LinkedHashMap<>();
        for (String name : source.getPropertyNames()) {
            Object value = source.getProperty(name);
            boolean variable = variables && name.startsWith(ConfigurationSources.ENVIRONMENT_PREFIX);
            if (value == null || !(variable || isOurs(name))) {
                continue;
            }
            if (value instanceof Integer) {
                requireDecimal(ConfigurationSources.fromRelaxed(name), value, OriginLookup.getOrigin(source, name));
            }
            String resolved = environment.resolvePlaceholders(text(value)).trim();
            Setting setting = new Setting(resolved, origin(source, name));
            Matcher item = (variable ? VARIABLE_ITEM : LIST_ITEM).matcher(name);
            String list = item.matches() ? listKey(item.group(1), resolved, variable) : null;
            String key = variable
                    ? ConfigurationSources.fromEnvironment(name, resolved)
                    : ConfigurationSources.fromRelaxed(name);
            if (list != null) {
                lists.computeIfAbsent(list, any -> new TreeMap<>()).put(Integer.valueOf(item.group(2)), setting);
            } else if (key != null) {
                found.put(key, setting);
            }
        }
        lists.forEach((key, items) -> found.putIfAbsent(key, joined(items)));
        return found;
    }

    /** YAML reads {@code 010}, an area code, as 8: an octal number. Only the file knows how it is written. */
    private static void requireDecimal(@Nullable String key, Object value, @Nullable Origin origin) {
        if (!(origin instanceof TextResourceOrigin text) || text.getResource() == null || text.getLocation() == null) {
            return;
        }
        try (Scanner lines = new Scanner(text.getResource().getInputStream(), StandardCharsets.UTF_8)) {
            String line = lines.useDelimiter("\\R")
                    .tokens()
                    .skip(text.getLocation().getLine())
                    .findFirst()
                    .orElse("");
            Matcher octal = OCTAL.matcher(
                    line.substring(Math.min(line.length(), text.getLocation().getColumn())));
            if (octal.lookingAt()) {
                throw new HighwayConfigurationException(
                                String.valueOf(key),
                                octal.group() + " is an octal number in YAML and means " + value,
                                "Write it in quotes: \"" + octal.group() + "\"")
                        .at(origin.toString());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code HIGHWAY_GATEWAYS_DUBBO_0} is the first of a list; an island's id may end in a number, too. */
    private static @Nullable String listKey(String name, String value, boolean variable) {
        if (!variable) {
            return ConfigurationSources.fromRelaxed(name);
        }
        String key = ConfigurationSources.fromEnvironment(name, value);
        return key != null && LIST_KEY.matcher(key).matches() ? key : null;
    }

    private static String text(Object value) {
        return value instanceof Collection<?> items
                ? String.join(",", items.stream().map(String::valueOf).toList())
                : value.toString();
    }

    private static boolean isOurs(String name) {
        return name.startsWith(HighwayKeys.PREFIX) || name.startsWith("highway[");
    }

    private static Setting joined(Map<Integer, Setting> items) {
        StringBuilder all = new StringBuilder();
        String origin = "";
        for (Setting item : items.values()) {
            all.append(all.isEmpty() ? "" : ",").append(item.value());
            origin = origin.isEmpty() ? item.origin() : origin;
        }
        return new Setting(all.toString(), origin);
    }

    private static String origin(PropertySource<?> source, String name) {
        Origin origin = OriginLookup.getOrigin(source, name);
        return origin == null ? source.getName() : origin.toString();
    }
}
