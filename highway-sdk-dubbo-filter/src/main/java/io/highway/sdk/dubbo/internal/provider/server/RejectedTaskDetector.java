// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import io.netty.util.concurrent.FastThreadLocal;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.executor.ExecutorSupport;
import org.apache.dubbo.rpc.executor.IsolationExecutorSupportFactory;

/**
 * Notices that a thread pool of services took no task. Over Triple Dubbo resets the stream then (3.3 with an HTTP status as
 * the error, 3.2 with CANCEL, as it does while calls run), or only writes to the log; over its own protocol it answers later.
 *
 * <p>A wrapper of Dubbo's extension; with {@code executor-management-mode=default} Dubbo does not ask it, and nothing is
 * noticed.
 */
public final class RejectedTaskDetector implements IsolationExecutorSupportFactory {

    /** Of the thread that hands a task over. */
    private static final FastThreadLocal<Watch> WATCH = new FastThreadLocal<>() {
        @Override
        protected Watch initialValue() {
            return new Watch();
        }
    };

    private static final class Watch {
        private boolean isOn;
        private boolean isRejected;
    }

    private final IsolationExecutorSupportFactory dubbos;

    /** Called by Dubbo. */
    public RejectedTaskDetector(IsolationExecutorSupportFactory dubbos) {
        this.dubbos = dubbos;
    }

    /** Begins or ends to watch the current thread. */
    public static void watch(boolean isOn) {
        Watch watch = WATCH.get();
        watch.isOn = isOn;
        watch.isRejected = false;
    }

    /** Whether a pool refused a task of the current thread while it was watched. */
    public static boolean isAny() {
        return WATCH.get().isRejected;
    }

    @Override
    public ExecutorSupport createIsolationExecutorSupport(URL url) {
        ExecutorSupport support = dubbos.createIsolationExecutorSupport(url);
        return data -> watched(support.getExecutor(data));
    }

    /** Dubbo casts it to {@code ExecutorService}. */
    private static Executor watched(Executor executor) {
        if (!(executor instanceof ExecutorService pool)) {
            return executor;
        }
        return (Executor) Proxy.newProxyInstance(
                RejectedTaskDetector.class.getClassLoader(),
                new Class<?>[] {ExecutorService.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.invoke(pool, arguments);
                    } catch (InvocationTargetException e) {
                        Watch watch = WATCH.get();
                        watch.isRejected |= watch.isOn && e.getCause() instanceof RejectedExecutionException;
                        throw e.getCause();
                    }
                });
    }
}
