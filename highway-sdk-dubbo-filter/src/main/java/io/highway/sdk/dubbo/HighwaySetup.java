// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import io.highway.sdk.IslandResolver;
import io.highway.sdk.dubbo.lane.NetworkListener;
import io.highway.sdk.dubbo.outcome.OutcomeListener;
import io.highway.sdk.dubbo.policy.HighwayKeys;
import io.highway.sdk.dubbo.policy.Policy;
import io.highway.sdk.dubbo.policy.PolicyParser;
import io.highway.sdk.dubbo.policy.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.dubbo.common.config.Environment;
import org.jspecify.annotations.Nullable;

/** What a {@link HighwayCustomizer} may say. Used by one thread, while the configuration is read. */
public final class HighwaySetup {

    private final Environment environment;
    private final Map<String, String> set = new LinkedHashMap<>();
    private final List<OutcomeListener> listeners = new ArrayList<>();
    private final List<NetworkListener> networkListeners = new ArrayList<>();
    private @Nullable Settings host;
    private @Nullable IslandResolver resolver;

    HighwaySetup(Environment environment) {
        this.environment = environment;
    }

    /**
     * Sets a key, stronger than any other source.
     *
     * @param key a full key, such as {@code highway.islands.shanghai.tunnel}
     * @throws IllegalArgumentException if it does not start with {@code highway.}; whether there is such a key, and whether
     *     the value holds, is checked with all others
     */
    public HighwaySetup set(String key, String value) {
        if (!key.startsWith(HighwayKeys.PREFIX)) {
            throw new IllegalArgumentException(
                    "key: \"" + key + "\" is not allowed; write a full key, such as highway.island");
        }
        set.put(key, Objects.requireNonNull(value, "value"));
        return this;
    }

    /** Who says which island a business key means; the one set last is asked. */
    public HighwaySetup islandResolver(IslandResolver islandResolver) {
        this.resolver = Objects.requireNonNull(islandResolver, "islandResolver");
        return this;
    }

    /** Who is told how routed calls end, beside those set before. */
    public HighwaySetup outcomeListener(OutcomeListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /** Who is told how the ways to islands fare, beside those set before. */
    public HighwaySetup networkListener(NetworkListener listener) {
        networkListeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /**
     * For a host with an environment of its own, such as Spring: its keys take the place of system properties and
     * environment variables, which it has read itself, and are stronger than Dubbo's other sources.
     */
    public HighwaySetup environment(Settings keys) {
        this.host = Objects.requireNonNull(keys, "keys");
        return this;
    }

    /** All keys, from every source. */
    Settings settings() {
        Settings collected =
                host == null ? HighwayKeys.collect(environment) : host.over(HighwayKeys.collectConfigured(environment));
        return Settings.of(set, "customizer").over(collected);
    }

    @Nullable
    Policy policy(Settings settings) {
        return PolicyParser.parse(settings, "static", resolver).orElse(null);
    }

    List<OutcomeListener> listeners() {
        return listeners;
    }

    List<NetworkListener> networkListeners() {
        return networkListeners;
    }
}
