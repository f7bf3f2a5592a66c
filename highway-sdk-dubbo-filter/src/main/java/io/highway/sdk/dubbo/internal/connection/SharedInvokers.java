// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.protocol.ReferenceCountInvokerWrapper;
import org.jspecify.annotations.Nullable;

/**
 * The invokers that keep one connection open: the anchor, which belongs to no service, and the invokers of services.
 * While the anchor exists, any thread can create an invoker without connecting. Thread-safe.
 */
public final class SharedInvokers {

    private static final Logger log = LoggerFactory.getLogger(SharedInvokers.class);

    private final Invoker<?> anchor;
    private final Set<Invoker<?>> services = new LinkedHashSet<>();
    private boolean closed;

    SharedInvokers(Invoker<?> anchor) {
        this.anchor = anchor;
    }

    boolean isConnected() {
        return anchor.isAvailable();
    }

    /** Creates a service's invoker on this connection, or returns null if it was closed meanwhile. */
    public synchronized <T> @Nullable Invoker<T> add(Supplier<Invoker<T>> refer) {
        if (closed) {
            return null;
        }
        Invoker<T> invoker = refer.get();
        services.add(invoker);
        return invoker;
    }

    public synchronized void remove(Invoker<?> invoker) {
        services.remove(invoker);
    }

    public synchronized boolean isClosed() {
        return closed;
    }

    /**
     * Destroys all invokers: the anchor on this thread; those of services, which wait for their calls in flight, by
     * {@code destroyer}.
     *
     * @param destroyer destroys an invoker of a service
     */
    void close(Consumer<Invoker<?>> destroyer) {
        List<Invoker<?>> all;
        synchronized (this) {
            closed = true;
            all = new ArrayList<>(services);
            services.clear();
        }
        all.forEach(destroyer);
        destroy(anchor);
    }

    /**
     * Dubbo's outermost wrapper reads its timeout from the module of the reference and throws if the module has stopped
     * meanwhile. The wrapped invoker, which keeps the connection open, is destroyed in any case.
     */
    static void destroy(Invoker<?> invoker) {
        try {
            invoker.destroy();
        } catch (RuntimeException e) {
            if (invoker instanceof ReferenceCountInvokerWrapper<?> counted) {
                destroy(counted.getInvoker());
            } else {
                log.warn("highway: an invoker of " + invoker.getUrl() + " was not destroyed: " + e, e);
            }
        }
    }
}
