// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.GatewayAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.url.component.ServiceConfigURL;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ScopeModel;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.apache.dubbo.rpc.protocol.ReferenceCountInvokerWrapper;
import org.jspecify.annotations.Nullable;

/**
 * Dubbo invokers of services over gateway connections, created when first needed. None of them connects: they share a
 * connection that is open, and are forgotten once it is closed. Thread-safe.
 *
 * @param <K> the properties that an invoker depends on
 * @param <T> the service
 */
public final class GatewayInvokers<K extends GatewayInvokers.Key, T> {

    private final Map<K, Invoker<T>> invokers = new ConcurrentHashMap<>();

    /** The properties that an invoker depends on. */
    public interface Key {

        /** The connection that it shares. */
        ReconnectingLink connection();
    }

    /** The invoker with these properties, or null if none has been created yet. Does not block. */
    public @Nullable Invoker<T> known(K key) {
        return invokers.get(key);
    }

    /**
     * The invoker with these properties.
     *
     * @param create creates it, see {@link #create}
     * @return null if the connection was closed meanwhile
     */
    public synchronized @Nullable Invoker<T> of(K key, Supplier<Invoker<T>> create) {
        Invoker<T> known = invokers.get(key);
        if (known != null) {
            return known;
        }
        invokers.keySet().removeIf(old -> old.connection().isClosed());
        Invoker<T> created = key.connection().add(create);
        if (created != null) {
            invokers.put(key, created);
        }
        return created;
    }

    /** Takes out the invokers that are not wanted any more, to be released once no call is about to use them. */
    public synchronized GatewayInvokers<K, T> takeOut(Predicate<K> unwanted) {
        GatewayInvokers<K, T> taken = new GatewayInvokers<>();
        invokers.forEach((key, invoker) -> {
            if (unwanted.test(key)) {
                taken.invokers.put(key, invoker);
            }
        });
        invokers.keySet().removeAll(taken.invokers.keySet());
        return taken;
    }

    /** Gives up every invoker. */
    public void release(Consumer<? super Invoker<T>> destroyer) {
        invokers.forEach((key, invoker) -> {
            key.connection().remove(invoker);
            destroyer.accept(invoker);
        });
        invokers.clear();
    }

    /**
     * Creates an invoker over a connection.
     *
     * @param path the service's name on the wire
     * @param parameters its own parameters
     */
    public static <T> Invoker<T> create(
            Class<T> type,
            ReconnectingLink connection,
            String path,
            Map<String, String> parameters,
            String serialization,
            @Nullable ScopeModel scope,
            @Nullable ServiceModel service) {
        GatewayAddress address = connection.address();
        Map<String, String> all = new HashMap<>(parameters);
        all.put("side", "consumer");
        all.put("ssl-enabled", String.valueOf(address.isSecured())); // the scheme of Triple's requests
        all.put("prefer.serialization", serialization);
        all.put("serialization", serialization);
        URL url = new ServiceConfigURL(address.kind().dubboProtocol(), address.host(), address.port(), path, all)
                .setScopeModel(scope)
                .setServiceModel(service);
        ExecutorService unused = GatewayInvoker.threads(url);
        FrameworkModel framework = url.getOrDefaultFrameworkModel();
        return withoutLock(framework
                .getExtensionLoader(Protocol.class)
                .getExtension(GatewayClients.of(framework).protocol(address.kind()))
                .refer(type, connection.usedBy(url)));
    }

    /**
     * Dubbo's outermost wrapper has a lock that each call takes, so that connections are not closed before synchronous calls
     * have ended; an invoker over a gateway has none.
     */
    private static <T> Invoker<T> withoutLock(Invoker<T> invoker) {
        return invoker instanceof ReferenceCountInvokerWrapper<T> counted ? counted.getInvoker() : invoker;
    }
}
