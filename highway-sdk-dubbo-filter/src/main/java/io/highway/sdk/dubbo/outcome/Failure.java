// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.outcome;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.route.Reason;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.TimeoutException;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.StatusRpcException;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * What a failed call means, for both protocols, thrown or answered.
 *
 * <p>Certainly not executed: no connection, an error before the request was written, a gateway that says it did not
 * forward, a destination that says it refused or has no such service. Everything else may have run.
 *
 * @param reason why
 * @param sent whether the request may have been executed
 * @param what what happened, without a full stop
 */
public record Failure(Reason reason, boolean sent, String what) {

    /** A gateway that did not forward starts its message so; the reason follows. */
    public static final String NOT_FORWARDED = "HIGHWAY-NOT-FORWARDED:";

    /** The guard at the destination starts its message so; the reason follows. */
    public static final String REFUSED = "HIGHWAY-REFUSED:";

    /** A gateway that lost the connection on the far side of it starts its message so. */
    public static final String CONNECTION_LOST = "HIGHWAY-CONNECTION-LOST:";

    /** A request over the limit starts its message so; its size and the limit follow. */
    public static final String TOO_LARGE = "HIGHWAY-TOO-LARGE:";

    private static final String UNDECODED = "Fail to decode request due to";

    /** Says what a failure means; rules in the order of the code, the first that fits decides. */
    public static Failure of(Throwable thrown) {
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            if (t instanceof HighwayException known) {
                return new Failure(known.reason(), known.sent(), String.valueOf(known.getMessage()));
            }
        }
        Failure said = saidByMessage(messages(thrown));
        if (said != null) {
            return said;
        }
        StatusRpcException status = find(thrown, StatusRpcException.class);
        if (status != null) {
            return ofStatus(status.getStatus());
        }
        RpcException rpc = find(thrown, RpcException.class);
        return ofDubbo(rpc == null ? new RpcException(thrown) : rpc);
    }

    private static @Nullable Failure saidByMessage(String messages) {
        if (messages.contains(NOT_FORWARDED)) {
            return new Failure(
                    Reason.NOT_FORWARDED, false, "the gateway did not forward: " + rest(messages, NOT_FORWARDED));
        }
        if (messages.contains(REFUSED)) {
            return new Failure(Reason.REFUSED_THERE, false, "the destination refused: " + rest(messages, REFUSED));
        }
        if (messages.contains(CONNECTION_LOST)) {
            return new Failure(
                    Reason.CONNECTION_LOST, true, "a gateway lost its connection: " + rest(messages, CONNECTION_LOST));
        }
        if (messages.contains("Not found exported service") || messages.contains("Service not found:")) {
            return new Failure(Reason.NO_SUCH_SERVICE, false, "the destination does not export the service");
        }
        if (messages.contains(UNDECODED)) { // without parameter types the provider does not know the service at all
            boolean unknown = messages.contains("parameterTypes=null");
            return unknown
                    ? new Failure(Reason.NO_SUCH_SERVICE, false, "the destination does not know the service")
                    : new Failure(Reason.SERIALIZATION, false, "the provider cannot read the request");
        }
        for (String marker : new String[] {TOO_LARGE, "Data length too large:"}) { // Triple's, measured here; Dubbo's
            if (messages.contains(marker)) {
                return new Failure(Reason.TOO_LARGE, false, "the request has " + rest(messages, marker));
            }
        }
        if (messages.contains("This invoker has been destroyed")) {
            return new Failure(Reason.GATEWAY_DOWN, false, "the connection was being replaced");
        }
        return null;
    }

    /** {@code StatusRpcException} comes from Triple: from our side, a gateway or the provider. */
    private static Failure ofStatus(TriRpcStatus status) {
        String what = "triple answered " + status.toMessageWithoutCause();
        return switch (status.code) {
            case UNAVAILABLE ->
                what.contains("upstream ") && what.contains(" is unavailable")
                        ? new Failure(Reason.GATEWAY_DOWN, false, "not connected")
                        : new Failure(Reason.REMOTE_FAILURE, true, what);
            case DEADLINE_EXCEEDED -> new Failure(Reason.TIMEOUT, true, what);
            case UNIMPLEMENTED, NOT_FOUND -> new Failure(Reason.NO_SUCH_SERVICE, false, what);
            case CANCELLED -> new Failure(Reason.CONNECTION_LOST, true, what);
            case INTERNAL ->
                what.contains("Http2 exception")
                        ? new Failure(Reason.CONNECTION_LOST, true, what)
                        : new Failure(Reason.REMOTE_FAILURE, true, what);
            default -> new Failure(Reason.REMOTE_FAILURE, true, what);
        };
    }

    /** Dubbo answers with a {@code RemotingException} in an {@code ExecutionException}; unwrapped, it never left. */
    private static Failure ofDubbo(RpcException rpc) {
        String message = String.valueOf(rpc.getMessage()).lines().findFirst().orElse("no message");
        int cause = message.lastIndexOf(", cause: "); // before it stands the whole URL
        String what = cause < 0 ? message : message.substring(cause + ", cause: ".length());
        boolean beforeSending =
                rpc.getCause() instanceof RemotingException && !(rpc.getCause() instanceof TimeoutException);
        boolean answered = rpc.getCause() instanceof ExecutionException;
        return switch (rpc.getCode()) {
            case RpcException.TIMEOUT_EXCEPTION -> new Failure(Reason.TIMEOUT, true, what);
            case RpcException.TIMEOUT_TERMINATE -> new Failure(Reason.NO_TIME_LEFT, false, what);
            case RpcException.NO_INVOKER_AVAILABLE_AFTER_FILTER -> new Failure(Reason.GATEWAY_DOWN, false, what);
            case RpcException.SERIALIZATION_EXCEPTION -> new Failure(Reason.SERIALIZATION, !beforeSending, what);
            default -> {
                if (beforeSending) {
                    yield new Failure(Reason.GATEWAY_DOWN, false, what);
                }
                boolean inactive = answered && what.toLowerCase(Locale.ROOT).contains("is inactive");
                yield new Failure(inactive ? Reason.CONNECTION_LOST : Reason.REMOTE_FAILURE, true, what);
            }
        };
    }

    private static String messages(Throwable thrown) {
        StringBuilder all = new StringBuilder();
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            all.append(t).append('\n');
        }
        return all.toString();
    }

    private static String rest(String messages, String marker) {
        String rest = messages.substring(messages.indexOf(marker) + marker.length());
        return rest.lines().findFirst().orElse("").trim();
    }

    private static <X extends Throwable> @Nullable X find(Throwable thrown, Class<X> type) {
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            if (type.isInstance(t)) {
                return type.cast(t);
            }
        }
        return null;
    }
}
