// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.application;

import io.highway.sdk.dubbo.internal.caller.route.IntentResolver;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.dubbo.rpc.cluster.ClusterInvoker;

/** The references of one application, for explanations. It keeps none of them alive. Thread-safe. */
public final class RoutedReferences {

    private final Set<RoutedReference<?>> all =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /** A reference whose calls may leave home. Its URL is the current one; it is available if home has a provider. */
    public interface RoutedReference<T> extends ClusterInvoker<T> {

        /** What its calls ask for. */
        IntentResolver intents();
    }

    /** Adds a reference. */
    public void add(RoutedReference<?> reference) {
        all.add(reference);
    }

    /** Those that are not destroyed, in no order. */
    public List<RoutedReference<?>> all() {
        synchronized (all) {
            List<RoutedReference<?>> alive = new ArrayList<>(all);
            alive.removeIf(RoutedReference::isDestroyed);
            return alive;
        }
    }
}
