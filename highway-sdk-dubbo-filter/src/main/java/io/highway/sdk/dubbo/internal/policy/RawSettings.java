// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code highway.*} keys as they are written, with the origin of each. Immutable.
 *
 * @param byKey the settings by full key, such as {@code highway.island}
 */
public record RawSettings(Map<String, Setting> byKey) {

    public RawSettings {
        byKey = Collections.unmodifiableMap(new LinkedHashMap<>(byKey));
    }

    /**
     * {@return settings of one origin}
     *
     * @param values the values, by full key
     * @param origin where they are written, such as {@code application.yml}
     */
    public static RawSettings of(Map<String, String> values, String origin) {
        Map<String, Setting> byKey = new LinkedHashMap<>();
        values.forEach((key, value) -> byKey.put(key, new Setting(value, origin)));
        return new RawSettings(byKey);
    }

    /**
     * {@return these settings, and those of {@code weaker} whose keys are not set here}
     *
     * @param weaker settings that yield to these
     */
    public RawSettings over(RawSettings weaker) {
        Map<String, Setting> all = new LinkedHashMap<>(byKey);
        weaker.byKey.forEach(all::putIfAbsent);
        return new RawSettings(all);
    }

    /** {@return the values by full key} */
    public Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        byKey.forEach((key, setting) -> values.put(key, setting.value));
        return values;
    }

    /** {@return whether no key is set} */
    public boolean isEmpty() {
        return byKey.isEmpty();
    }

    /**
     * {@return the setting of a full key, or null if it is not set}
     *
     * @param key the full key
     */
    public @Nullable Setting get(String key) {
        return byKey.get(key);
    }

    /** {@return the value of a full key, or null if it is not set} */
    public @Nullable String value(String key) {
        Setting setting = get(key);
        return setting == null ? null : setting.value;
    }

    /** {@return the exception with the origin of its key, if that is set} */
    public HighwayConfigurationException located(HighwayConfigurationException e) {
        Setting wrong = get(e.key());
        return wrong == null ? e : e.at(wrong.origin);
    }

    /** {@return the keys only: values may be secrets} */
    @Override
    public String toString() {
        return byKey.keySet().toString();
    }

    /**
     * One value, which may be a secret. Immutable.
     *
     * @param value as it is written
     * @param origin where it is written, such as {@code system property} or {@code application.yml:7}
     */
    public record Setting(String value, String origin) {

        /** {@return the origin only: the value may be a secret} */
        @Override
        public String toString() {
            return "set by " + origin;
        }
    }
}
