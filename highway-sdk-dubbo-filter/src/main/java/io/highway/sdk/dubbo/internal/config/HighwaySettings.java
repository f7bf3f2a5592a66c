// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code highway.*} keys as they are written, with the origin of each. Immutable. */
public final class HighwaySettings {

    private final Map<String, Setting> byKey;

    private HighwaySettings(Map<String, Setting> byKey) {
        this.byKey = byKey;
    }

    /**
     * {@return settings by full key, such as {@code highway.island}}
     *
     * @param byKey the settings, by full key
     */
    public static HighwaySettings of(Map<String, Setting> byKey) {
        return new HighwaySettings(new LinkedHashMap<>(byKey));
    }

    /**
     * {@return settings of one origin}
     *
     * @param values the values, by full key
     * @param origin where they are written, such as {@code application.yml}
     */
    public static HighwaySettings of(Map<String, String> values, String origin) {
        Map<String, Setting> byKey = new LinkedHashMap<>();
        values.forEach((key, value) -> byKey.put(key, Setting.of(value, origin)));
        return new HighwaySettings(byKey);
    }

    /**
     * {@return these settings, and those of {@code weaker} whose keys are not set here}
     *
     * @param weaker settings that yield to these
     */
    public HighwaySettings over(HighwaySettings weaker) {
        Map<String, Setting> all = new LinkedHashMap<>(byKey);
        weaker.byKey.forEach(all::putIfAbsent);
        return new HighwaySettings(all);
    }

    /** {@return the values by full key} */
    public Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        byKey.forEach((key, setting) -> values.put(key, setting.value()));
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

    /** {@return the keys only: values may be secrets} */
    @Override
    public String toString() {
        return byKey.keySet().toString();
    }

    /** One value, which may be a secret. Immutable. */
    public static final class Setting {

        private final String value;
        private final String origin;

        private Setting(String value, String origin) {
            this.value = Objects.requireNonNull(value, "value");
            this.origin = Objects.requireNonNull(origin, "origin");
        }

        /**
         * {@return a setting}
         *
         * @param value as it is written
         * @param origin where it is written, such as {@code system property} or {@code application.yml:7}
         */
        public static Setting of(String value, String origin) {
            return new Setting(value, origin);
        }

        /** {@return the value as it is written} */
        public String value() {
            return value;
        }

        /** {@return where it is written, such as {@code system property} or {@code application.yml:7}} */
        public String origin() {
            return origin;
        }

        /** {@return the origin only: the value may be a secret} */
        @Override
        public String toString() {
            return "set by " + origin;
        }
    }
}
