// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.failover;

import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.network.compression.GrpcMessageCompression;
import io.highway.sdk.dubbo.internal.network.connection.GatewayInvokers;
import io.highway.sdk.dubbo.internal.network.connection.ReconnectingLink;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.ZstdDictionary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.rpc.Invoker;
import org.jspecify.annotations.Nullable;

/**
 * The Dubbo invokers of one reference for gateway connections, created at the first call over each. They do not depend
 * on the destination island, which is an attachment. Thread-safe.
 */
final class ReferenceInvokers<T> {

    /**
     * Parameters of the home cluster or of a single provider, which must not apply to a gateway's invoker. The keys of
     * Dubbo's caches and of its limit of concurrent calls name the service and not the island.
     */
    private static final Set<String> HOME_ONLY = Set.of(
            "actives",
            "cache",
            "cluster",
            "mock",
            "check",
            "lazy",
            "connections",
            "registry",
            "loadbalance",
            "methods",
            "timestamp",
            "scope",
            "injvm",
            "stub",
            "local",
            "sticky",
            "token",
            "router",
            "highway-island",
            "highway-when");

    /** Parameters that a filter also reads as {@code <method>.<key>}. */
    private static final List<String> HOME_ONLY_OF_A_METHOD = List.of(".actives", ".cache");

    private static final String FILTERS = "reference.filter";

    /**
     * Leaves out the filter by which Dubbo turns an answered {@code RpcException} into a failed future: it throws out
     * of a callback, and Dubbo logs that as an error each time. The tunnel reads such answers itself.
     */
    private static final String WITHOUT_RETHROWING = "-rpc-exception";

    /** How long invokers that a rule or a policy has replaced are kept, for calls that are about to use them. */
    private static final int REPLACED_MILLIS = 1_000;

    private final Class<T> type;
    private final Supplier<URL> reference;
    private final HighwayRuntime runtime;
    private volatile Settled<T> settled;

    private boolean closed;

    /** The last seen URL of the reference, and the invokers created for it. */
    private record Settled<T>(URL reference, GatewayInvokers<Key, T> invokers) {}

    /** The properties that an invoker depends on. */
    private record Key(
            ReconnectingLink connection, String serialization, int maxRequestBytes, @Nullable String encoding)
            implements GatewayInvokers.Key {

        /** Whether calls by this policy may use it. */
        boolean suits(IslandPolicy policy) {
            ZstdDictionary dictionary = policy.wire().dictionary();
            return maxRequestBytes == policy.wire().maxRequestBytes()
                    && serialization.equals(policy.wire().serialization())
                    && (encoding == null
                            || !encoding.contains(ZstdDictionary.PREFIX)
                            || (dictionary != null && encoding.contains(dictionary.encoding())));
        }
    }

    ReferenceInvokers(Class<T> type, Supplier<URL> reference, HighwayRuntime runtime) {
        this.type = type;
        this.reference = reference;
        this.runtime = runtime;
        this.settled = new Settled<>(reference.get(), new GatewayInvokers<>());
    }

    /**
     * The invoker for this connection, or null if the connection or the reference was closed meanwhile. Never connects.
     *
     * @param encoding the value of {@link GrpcMessageCompression#KEY}, or null
     */
    @Nullable
    Invoker<T> over(ReconnectingLink connection, IslandPolicy policy, @Nullable String encoding) {
        Key key =
                new Key(connection, policy.wire().serialization(), policy.wire().maxRequestBytes(), encoding);
        Invoker<T> known = settled().invokers.known(key);
        if (known != null) {
            return known;
        }
        synchronized (this) {
            if (closed) {
                return null;
            }
            Settled<T> now = settled();
            Policy present = runtime.policy();
            releaseLater(now.invokers.takeOut(other -> !present.anyIsland(other::suits)));
            return now.invokers.of(key, () -> create(now.reference, connection, policy, encoding));
        }
    }

    synchronized boolean isClosed() {
        return closed;
    }

    @SuppressWarnings("ReferenceEquality") // evaluated for every call; Dubbo creates another URL for every change
    private Settled<T> settled() {
        Settled<T> known = settled;
        return known.reference == reference.get() ? known : settle();
    }

    /** Dubbo also creates another URL with the same parameters if only the providers at home have changed. */
    private synchronized Settled<T> settle() {
        Settled<T> before = settled;
        URL changed = reference.get();
        boolean same = before.reference.getParameters().equals(changed.getParameters());
        Settled<T> now = new Settled<>(changed, same ? before.invokers : new GatewayInvokers<>());
        settled = now;
        if (!same) {
            releaseLater(before.invokers);
        }
        return now;
    }

    private void releaseLater(GatewayInvokers<Key, T> invokers) {
        CompletableFuture.delayedExecutor(REPLACED_MILLIS, TimeUnit.MILLISECONDS)
                .execute(() -> release(invokers));
    }

    private Invoker<T> create(
            URL reference, ReconnectingLink connection, IslandPolicy policy, @Nullable String encoding) {
        Map<String, String> parameters = new HashMap<>(reference.getParameters());
        parameters
                .keySet()
                .removeIf(key -> HOME_ONLY.contains(key)
                        || HOME_ONLY_OF_A_METHOD.stream().anyMatch(key::endsWith));
        parameters.merge(FILTERS, WITHOUT_RETHROWING, (filters, none) -> filters + "," + none);
        parameters.put(
                GrpcMessageCompression.MOST_INFLATED,
                parameters.getOrDefault("payload", String.valueOf(Constants.DEFAULT_PAYLOAD)));
        parameters.put("payload", String.valueOf(policy.wire().maxRequestBytes()));
        if (encoding != null) {
            parameters.put(GrpcMessageCompression.KEY, encoding);
        }
        parameters.putIfAbsent("timeout", String.valueOf(DubboCall.DEFAULT_TIMEOUT_MILLIS)); // Dubbo's own is 1000
        return GatewayInvokers.create(
                type,
                connection,
                reference.getServiceInterface(),
                parameters,
                policy.wire().serialization(),
                reference.getScopeModel(),
                reference.getServiceModel());
    }

    /** Releases this reference's share of the connections. */
    synchronized void close() {
        closed = true;
        release(settled.invokers);
    }

    /** Runs in the background, since it waits for calls in flight. */
    private void release(GatewayInvokers<Key, T> invokers) {
        invokers.release(runtime.destinations().connections()::destroy);
    }
}
