// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.dubbo.GuardListener.GuardEvent;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The islands of a test class by their keys: zhejiang at home, shanghai and beijing, each with a {@link Shop}. */
final class Shops implements AfterAllCallback, AfterEachCallback {

    private final Map<List<Object>, Islands> started = new HashMap<>();
    private final Map<Islands, List<GuardEvent>> guardEvents = new HashMap<>();

    /** The same for the same keys. */
    Islands islands(TunnelKind tunnel, String... keysAndValues) {
        return started.computeIfAbsent(List.of(tunnel, List.of(keysAndValues)), any -> start(tunnel, keysAndValues));
    }

    /** What the guard in shanghai has told its listener. */
    List<GuardEvent> guardEvents(Islands islands) {
        return guardEvents.get(islands);
    }

    /** Those of one test. */
    Islands own(TunnelKind tunnel, String... keysAndValues) {
        Islands islands = start(tunnel, keysAndValues);
        started.put(List.of(islands), islands);
        return islands;
    }

    /** The keys are of the application at home, or after {@code island:} of the providers there. */
    private Islands start(TunnelKind tunnel, String... keysAndValues) {
        Islands.Builder builder = Islands.builder()
                .home("zhejiang")
                .islands("shanghai", "beijing")
                .property("highway.defaults.tunnel", tunnel.word())
                .property("highway.islands.shanghai.keys", "310000,31*")
                .property("highway.islands.beijing.keys", "110000");
        for (int i = 0; i < keysAndValues.length; i += 2) {
            int island = keysAndValues[i].indexOf(':');
            builder.property(
                    island < 0 ? "zhejiang" : keysAndValues[i].substring(0, island),
                    keysAndValues[i].substring(island + 1),
                    keysAndValues[i + 1]);
        }
        Islands islands = builder.start();
        List<GuardEvent> events = new CopyOnWriteArrayList<>();
        islands.at("shanghai").application().getBeanFactory().registerBean((HighwayCustomizer)
                setup -> setup.guardListener(events::add));
        guardEvents.put(islands, events);
        for (String island : List.of("zhejiang", "shanghai", "beijing")) {
            islands.at(island).serves(Shop.class, new ShopKeeper(island));
        }
        return islands;
    }

    /** Activates the keys of an application with these changes; an empty value removes all that begin with its key. */
    static void swap(ApplicationModel application, String version, String... keysAndValues) {
        HighwayRuntime runtime = HighwayRuntime.of(application);
        Map<String, String> keys = new HashMap<>(runtime.policy().settings().values());
        for (int i = 0; i < keysAndValues.length; i += 2) {
            String key = keysAndValues[i];
            if (keysAndValues[i + 1].isEmpty()) {
                keys.keySet().removeIf(one -> one.startsWith(key));
            } else {
                keys.put(key, keysAndValues[i + 1]);
            }
        }
        runtime.swap(
                PolicyParser.parse(RawSettings.of(keys, "test"), version, null).orElseThrow());
    }

    /** A shop that an application with these keys refers to. */
    Shop shop(TunnelKind tunnel, String... keysAndValues) {
        return islands(tunnel, keysAndValues).reference(Shop.class);
    }

    /** Another reference of the application at home. */
    static <S> S reference(Islands islands, Class<S> type, Consumer<ReferenceConfig<S>> customizer) {
        ReferenceConfig<S> config = new ReferenceConfig<>();
        config.setScopeModel(islands.application().getDefaultModule());
        config.setInterface(type);
        config.setUrl("dubbo://zhejiang.test:1"); // which the islands replace
        customizer.accept(config);
        return config.get();
    }

    /** A generic reference of {@link Shop}. */
    static GenericService generic(Islands islands) {
        return reference(islands, GenericService.class, config -> {
            config.setInterface(Shop.class.getName());
            config.setGeneric("true");
            config.setCheck(false);
        });
    }

    @Override
    public void afterEach(ExtensionContext context) {
        RpcContext.removeContext();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        started.values().forEach(Islands::close);
    }
}
