// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import io.highway.sdk.dubbo.internal.network.compression.ZstdLibrary;
import io.highway.sdk.dubbo.internal.network.http2.HeaderSanitizer;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.ZstdDictionary;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * What the servers of a process share: its island, the guard, the dictionaries of islands that call, and the requests that the
 * guard has not seen yet. One per framework. Thread-safe.
 */
public final class ServerContext {

    private final Map<ApplicationModel, Function<String, @Nullable ZstdDictionary>> dictionaries =
            new ConcurrentHashMap<>();

    /** Those that the guard has not seen yet, by their numbers. */
    private final Map<String, UndecodedTripleRequest> requests = new ConcurrentHashMap<>();

    /** Of these numbers: no peer can know one. */
    private final String secret = UUID.randomUUID() + "-";

    private final AtomicLong numbers = new AtomicLong();

    private final HeaderSanitizer carried;

    /** The island of the process; null as long as no application of it has settings. */
    private volatile @Nullable String home;

    private final FrameworkModel framework;
    private volatile @Nullable PreDecodeCheck guard;

    private ServerContext(FrameworkModel framework) {
        this.framework = framework;
        this.carried = HeaderSanitizer.of(framework);
    }

    /** That of a framework. */
    public static ServerContext of(FrameworkModel framework) {
        return framework.getBeanFactory().getOrRegisterBean(ServerContext.class, type -> new ServerContext(framework));
    }

    /**
     * An application serves.
     *
     * @param dictionaryOf the present dictionary of an island that calls, or null if it has none
     */
    public void serve(
            ApplicationModel application, Policy policy, Function<String, @Nullable ZstdDictionary> dictionaryOf) {
        home = policy.home();
        if (dictionaries.putIfAbsent(application, dictionaryOf) == null) {
            application.addDestroyListener(model -> dictionaries.remove(application));
        }
    }

    /** The guard, or null as long as no service is exported. */
    public @Nullable PreDecodeCheck guard() {
        PreDecodeCheck known = guard;
        if (known == null) {
            known = PreDecodeCheck.of(framework);
            guard = known;
        }
        return known;
    }

    /** A number for a request of a peer to which the guard is closed. */
    String newNumber() {
        return secret + numbers.incrementAndGet();
    }

    /** These requests by their numbers, until they end. */
    Map<String, UndecodedTripleRequest> requests() {
        return requests;
    }

    /** The request with this number, or null if it has ended. */
    public @Nullable UndecodedTripleRequest request(String number) {
        return requests.get(number);
    }

    /** Keeps out of answers what HTTP/2 cannot carry. */
    HeaderSanitizer carried() {
        return carried;
    }

    /**
     * The encoding with the dictionary of an island that calls, or null if there is none here.
     *
     * @param from the value of {@code highway-from}, which begins with the island, or null
     */
    public @Nullable String dictionaryOf(@Nullable String from) {
        int slash = from == null ? -1 : from.indexOf('/');
        if (from != null && slash >= 0 && ZstdLibrary.isPresent()) {
            for (Function<String, @Nullable ZstdDictionary> known : dictionaries.values()) {
                ZstdDictionary dictionary = known.apply(from.substring(0, slash));
                if (dictionary != null) {
                    return dictionary.encoding();
                }
            }
        }
        return null;
    }

    /** Whether an application of the process has settings of the SDK. */
    public boolean isServing() {
        return home != null;
    }

    /** The island of the process. */
    public String home() {
        return Objects.requireNonNull(home);
    }
}
