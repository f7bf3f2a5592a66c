// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.entry;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.internal.caller.failover.OutboundCall;
import io.highway.sdk.dubbo.internal.evidence.CallResults;
import io.highway.sdk.dubbo.internal.limits.LogLimit;
import io.micrometer.observation.Observation;
import java.util.Objects;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.BaseFilter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.cluster.filter.ClusterFilter;
import org.jspecify.annotations.Nullable;

/**
 * Describes island-bound calls in the spans that Dubbo's {@code ObservationSenderFilter} makes: the outcome as
 * attributes, and one event for each failed attempt. It runs inside of that filter, whose order is
 * {@code MIN_VALUE + 50} and in Dubbo 3.2 -1, so that it receives the result before the span ends. The values have high
 * cardinality, so that they are not in Dubbo's own meters. Active if Micrometer's Observation is on the class path.
 */
@Activate(group = CommonConstants.CONSUMER, order = 0, onClass = "io.micrometer.observation.NoopObservationRegistry")
public final class SpanAttributesFilter implements ClusterFilter, BaseFilter.Listener {

    private static final Logger log = LoggerFactory.getLogger(SpanAttributesFilter.class);

    private static final String NONE = "none";

    private final LogLimit logLimit = new LogLimit();

    /** Called by Dubbo. */
    public SpanAttributesFilter() {}

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) throws RpcException {
        OutboundCall call = OutboundCall.of(invocation);
        Observation span = call == null ? null : spanOf(invocation);
        if (call != null && span != null) {
            CallOutcome ended = call.ended();
            if (ended != null) { // home serves it
                describe(span, ended, false);
            } else {
                call.onFailedAttempt((gateway, reason) -> failed(span, reason + " over " + gateway));
            }
        }
        return invoker.invoke(invocation);
    }

    /** An exception of a tracer has no effect. */
    private void failed(Observation span, String what) {
        try {
            span.event(Observation.Event.of("highway.attempt.failed", "highway.attempt.failed " + what));
        } catch (RuntimeException | Error e) {
            logLimit.warn(log, "highway: the observation of a call failed", e);
        }
    }

    @Override
    public void onResponse(Result response, Invoker<?> invoker, Invocation invocation) {
        end(invocation, response instanceof AppResponse answer ? CallResults.failureIn(answer) : null);
    }

    @Override
    public void onError(Throwable thrown, Invoker<?> invoker, Invocation invocation) {
        end(invocation, thrown);
    }

    private static void end(Invocation invocation, @Nullable Throwable failure) {
        OutboundCall call = OutboundCall.of(invocation);
        Observation span = call == null ? null : spanOf(invocation);
        if (call != null && span != null) {
            CallOutcome ended = call.ended(); // by home's answer, or by the caller
            describe(
                    span,
                    ended != null ? ended : call.outcomeOf(failure),
                    ended == null && failure == null && call.isStreaming());
        }
    }

    private static @Nullable Observation spanOf(Invocation invocation) {
        return (Observation) invocation.get(Observation.class);
    }

    /** A stream that has begun has no outcome yet. */
    private static void describe(Observation span, CallOutcome call, boolean isStream) {
        String asked = call.island() != null ? call.island() : call.intent().asked();
        tag(span, "highway.island", asked);
        if (!Objects.equals(call.askedIsland(), call.island())) {
            tag(span, "highway.asked", call.askedIsland());
        }
        tag(span, "highway.tunnel", call.tunnel());
        tag(
                span,
                "highway.gateway",
                call.gateway() == null ? null : call.gateway().hostAndPort());
        tag(span, "highway.policy", call.policyVersion());
        if (!isStream) {
            tag(span, "highway.outcome", call.outcome());
            tag(span, "highway.reason", call.reason());
            tag(span, "highway.fallback", call.fallbackReason() != null);
        }
    }

    private static void tag(Observation span, String key, @Nullable Object value) {
        span.highCardinalityKeyValue(key, value == null ? NONE : value.toString());
    }
}
