// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.audit;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.RpcContext;
import org.jspecify.annotations.Nullable;

/** Finds the trace id of a call. */
final class TraceIdFinder {

    private static final String TRACEPARENT = "traceparent";

    /** W3C Trace Context, any version. */
    private static final Pattern GRAMMAR = Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}.*");

    /** Micrometer and Brave; OpenTelemetry. */
    private static final List<String> MDC_KEYS = List.of("traceId", "trace_id");

    /** {@code org.slf4j.MDC.get}, or null without SLF4J. */
    private static final @Nullable MethodHandle MDC_GET = mdcGet();

    private TraceIdFinder() {}

    /** The trace id in the {@code traceparent} that the call carries, or null. */
    static @Nullable String of(Invocation invocation) {
        return in(invocation.getAttachment(TRACEPARENT));
    }

    /** The trace id of a call that this thread makes: of the call, of its attachments to be, or of the log context. */
    static @Nullable String ofCaller(Invocation invocation) {
        String carried = of(invocation);
        if (carried != null) {
            return carried;
        }
        String attached = in(RpcContext.getClientAttachment().getAttachment(TRACEPARENT));
        return attached != null ? attached : ofLogContext();
    }

    private static @Nullable String in(@Nullable String traceparent) {
        Matcher parts = traceparent == null ? null : GRAMMAR.matcher(traceparent);
        return parts != null && parts.matches() ? parts.group(1) : null;
    }

    private static @Nullable String ofLogContext() {
        if (MDC_GET == null) {
            return null;
        }
        try {
            for (String key : MDC_KEYS) {
                String id = (String) MDC_GET.invokeExact(key);
                if (id != null && !id.isEmpty()) {
                    return id;
                }
            }
        } catch (Throwable e) { // of a logging system
            return null;
        }
        return null;
    }

    private static @Nullable MethodHandle mdcGet() {
        try {
            Class<?> mdc = Class.forName("org.slf4j.MDC", true, TraceIdFinder.class.getClassLoader());
            return MethodHandles.publicLookup()
                    .findStatic(mdc, "get", MethodType.methodType(String.class, String.class));
        } catch (ReflectiveOperationException | LinkageError e) {
            return null;
        }
    }
}
