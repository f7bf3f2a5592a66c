// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import io.highway.sdk.dubbo.internal.provider.guard.ExportWrapper;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.Result;

/** At the provider, before the guard: records the route headers of calls to services with the parameter {@code recording}. */
@Activate(order = ExportWrapper.ORDER)
public final class RecordingWrapper extends ExportWrapper {

    static final BlockingQueue<Map<String, String>> ARRIVED = new LinkedBlockingQueue<>();

    /** The messages of the exceptions that calls ended with. */
    static final Queue<String> REFUSED = new ConcurrentLinkedQueue<>();

    public RecordingWrapper(Protocol protocol) {
        super(protocol);
    }

    @Override
    protected <T> Invoker<T> wrap(Invoker<T> invoker) {
        return invoker.getUrl().hasParameter("recording") ? new Recorded<>(invoker) : invoker;
    }

    private record Recorded<T>(Invoker<T> guarded) implements Invoker<T> {

        @Override
        public Result invoke(Invocation invocation) {
            Map<String, String> headers = new TreeMap<>();
            invocation.getObjectAttachments().forEach((key, value) -> {
                if (key.startsWith("highway-")) {
                    headers.put(key, String.valueOf(value));
                }
            });
            ARRIVED.add(headers);
            Result result = guarded.invoke(invocation);
            if (result.hasException()) {
                REFUSED.add(String.valueOf(result.getException().getMessage()));
            }
            return result;
        }

        @Override
        public Class<T> getInterface() {
            return guarded.getInterface();
        }

        @Override
        public URL getUrl() {
            return guarded.getUrl();
        }

        @Override
        public boolean isAvailable() {
            return guarded.isAvailable();
        }

        @Override
        public void destroy() {
            guarded.destroy();
        }
    }
}
