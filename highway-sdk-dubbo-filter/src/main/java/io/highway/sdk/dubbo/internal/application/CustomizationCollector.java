// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.application;

import io.highway.sdk.IslandResolver;
import io.highway.sdk.dubbo.GuardListener;
import io.highway.sdk.dubbo.HighwaySetup;
import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.OutcomeListener;
import io.highway.sdk.dubbo.ReplayStore;
import io.highway.sdk.dubbo.internal.network.connection.OptionalArtifacts;
import io.highway.sdk.dubbo.internal.policy.ConfigurationSources;
import io.highway.sdk.dubbo.internal.policy.HighwayKeys;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.dubbo.common.config.Environment;
import org.jspecify.annotations.Nullable;

/** Collects the settings, resolver and listeners that the customizers of one application set. Not thread-safe. */
public final class CustomizationCollector implements HighwaySetup {

    private final Environment environment;
    private final Map<String, String> set = new LinkedHashMap<>();
    private final List<OutcomeListener> listeners = new ArrayList<>();
    private final List<NetworkListener> networkListeners = new ArrayList<>();
    private final List<GuardListener> guardListeners = new ArrayList<>();
    private @Nullable RawSettings host;
    private @Nullable IslandResolver resolver;
    private @Nullable ReplayStore replayStore;

    CustomizationCollector(Environment environment) {
        this.environment = environment;
    }

    @Override
    public HighwaySetup set(String key, String value) {
        if (!key.startsWith(HighwayKeys.PREFIX)) {
            throw new IllegalArgumentException(
                    "key: \"" + key + "\" is not allowed; write a full key, such as highway.island");
        }
        set.put(key, Objects.requireNonNull(value, "value"));
        return this;
    }

    @Override
    public HighwaySetup islandResolver(IslandResolver islandResolver) {
        this.resolver = Objects.requireNonNull(islandResolver, "islandResolver");
        return this;
    }

    @Override
    public HighwaySetup outcomeListener(OutcomeListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    @Override
    public HighwaySetup networkListener(NetworkListener listener) {
        networkListeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    @Override
    public HighwaySetup replayStore(ReplayStore store) {
        this.replayStore = Objects.requireNonNull(store, "store");
        return this;
    }

    @Override
    public HighwaySetup guardListener(GuardListener listener) {
        guardListeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /**
     * Replaces system properties and environment variables by the settings of a host that has read them itself, such as
     * Spring. They are stronger than Dubbo's other sources.
     *
     * @param keys the settings, with the origin of each
     */
    public void environment(RawSettings keys) {
        this.host = Objects.requireNonNull(keys, "keys");
    }

    /** All keys, from every source. */
    RawSettings settings() {
        RawSettings collected = host == null
                ? ConfigurationSources.collect(environment)
                : host.over(ConfigurationSources.collectConfigured(environment));
        return RawSettings.of(set, "customizer").over(collected);
    }

    @Nullable
    Policy policy(RawSettings settings) {
        Optional<Policy> policy = PolicyParser.parse(settings, "static", resolver);
        policy.ifPresent(OptionalArtifacts::requireFor);
        return policy.orElse(null);
    }

    @Nullable
    IslandResolver resolver() {
        return resolver;
    }

    @Nullable
    ReplayStore replayStore() {
        return replayStore;
    }

    List<OutcomeListener> listeners() {
        return listeners;
    }

    List<GuardListener> guardListeners() {
        return guardListeners;
    }

    List<NetworkListener> networkListeners() {
        return networkListeners;
    }
}
