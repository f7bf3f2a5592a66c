// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.outcome;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.route.Reason;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.dubbo.common.serialize.SerializationException;
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

    /** What stands before the message of a request that this process could not write: the connection was being lost. */
    public static final String NOT_WRITTEN = "HIGHWAY-NOT-WRITTEN:";

    /** A gateway that lost the connection on the far side of it starts its message so. */
    public static final String CONNECTION_LOST = "HIGHWAY-CONNECTION-LOST:";

    /** A request over the limit starts its message so; its size and the limit follow. */
    public static final String TOO_LARGE = "HIGHWAY-TOO-LARGE:";

    /** A request that cannot be serialised ahead starts its message so. */
    public static final String UNWRITABLE = "The request cannot be written: ";

    /** What Triple's own {@code TripleClientCall} says then, of a request whose headers have left and no message. */
    private static final String UNWRITABLE_FOR_TRIPLE = "Serialize request failed";

    private static final String TOO_LARGE_FOR_DUBBO = "Data length too large:";
    private static final String REMOTING = RemotingException.class.getName() + ": ";
    private static final Pattern LATE = Pattern.compile("in timeout\\(\\d+ms\\) limit");
    private static final Pattern INACTIVE = Pattern.compile("^Channel .* is inactive");
    private static final Set<TriRpcStatus.Code> SAYS_THE_WAY = EnumSet.of(
            TriRpcStatus.Code.UNAVAILABLE,
            TriRpcStatus.Code.UNIMPLEMENTED,
            TriRpcStatus.Code.NOT_FOUND,
            TriRpcStatus.Code.PERMISSION_DENIED);
    private static final List<String> NOT_THERE = List.of(
            "Not found exported service",
            REMOTING + "Not found exported service",
            "Service not found",
            "Method not found",
            "Invoker for ",
            "HTTP status: 404");

    /** What Envoy's {@code dubbo_proxy} (1.40) says before it has sent anything. */
    private static final List<String> NOT_FORWARDED_BY_ENVOY = List.of(
            "dubbo router: no route for interface '",
            "dubbo router: no healthy upstream for '",
            "dubbo router: unknown cluster '",
            "dubbo router: maintenance mode for cluster '",
            "dubbo upstream request: too many connections",
            "dubbo upstream request: connection failure '");

    /** What it says else: a connection that was refused and one that was lost with the call under way sound alike. */
    private static final List<String> ERROR_OF_ENVOY = List.of("dubbo upstream request: ", "dubbo router: ");

    /**
     * What it means that {@code Invoker#invoke} threw.
     *
     * @param gateway the gateway's {@code host:port}
     */
    public static Failure thrown(Throwable thrown, String gateway) {
        Throwable cause = thrown.getCause();
        if (thrown instanceof HighwayException
                || thrown instanceof StatusRpcException
                || !(thrown instanceof RpcException rpc)) {
            return answered(thrown, gateway);
        }
        if (cause instanceof ExecutionException || cause instanceof CompletionException) {
            return answered(cause, gateway);
        }
        String what = firstLine(rpc);
        if (what.startsWith(TOO_LARGE)) {
            return new Failure(Reason.TOO_LARGE, false, "the request has " + rest(what, TOO_LARGE));
        }
        if (rpc.isTimeout() || cause instanceof TimeoutException) {
            return new Failure(Reason.TIMEOUT, true, what);
        }
        if (cause instanceof RemotingException unwritten) { // an answer would stand in an ExecutionException
            return unwritten(rpc, firstLine(unwritten));
        }
        if (what.startsWith(UNWRITABLE)) {
            return new Failure(Reason.SERIALIZATION, false, what);
        }
        return switch (rpc.getCode()) {
            case RpcException.TIMEOUT_TERMINATE -> new Failure(Reason.NO_TIME_LEFT, false, what);
            case RpcException.NO_INVOKER_AVAILABLE_AFTER_FILTER -> new Failure(Reason.GATEWAY_DOWN, false, what);
            default ->
                what.startsWith("This invoker has been destroyed")
                        ? new Failure(Reason.GATEWAY_DOWN, false, "the connection was being replaced")
                        : new Failure(Reason.REMOTE_FAILURE, true, what);
        };
    }

    /** What it means that a filter threw after the call had left: the answer, if there was one, is lost. */
    public static Failure afterwards(Throwable thrown) {
        return new Failure(
                Reason.REMOTE_FAILURE, true, "a consumer filter failed after the call: " + firstLine(thrown));
    }

    private static Failure unwritten(RpcException rpc, String what) {
        if (LATE.matcher(what).find()) { // Dubbo stops waiting for the write, which may still happen
            return new Failure(Reason.TIMEOUT, true, what);
        }
        if (what.contains(TOO_LARGE_FOR_DUBBO)) {
            String sizes = rest(what, TOO_LARGE_FOR_DUBBO).replaceFirst(", channel.*", "");
            return new Failure(Reason.TOO_LARGE, false, "the request has a data length of " + sizes);
        }
        return new Failure(rpc.isSerialization() ? Reason.SERIALIZATION : Reason.GATEWAY_DOWN, false, what);
    }

    /**
     * What it means that a call's future failed, or that an {@code RpcException} stands in its answer. It had been sent by
     * then, unless the answer says otherwise: an exception in it may come from another call that the service made.
     *
     * @param gateway the gateway's {@code host:port}
     */
    public static Failure answered(Throwable failure, String gateway) {
        Throwable core = failure;
        while ((core instanceof ExecutionException || core instanceof CompletionException) && core.getCause() != null) {
            core = core.getCause();
        }
        if (core instanceof HighwayException known) {
            return known.isFromHere()
                    ? new Failure(known.reason(), known.sent(), String.valueOf(known.getMessage()))
                    : new Failure(
                            Reason.REMOTE_FAILURE, true, "a call of the service itself failed: " + firstLine(known));
        }
        if (core instanceof StatusRpcException status) {
            return ofStatus(status.getStatus(), gateway);
        }
        String what = firstLine(core);
        if (core instanceof NotForwardedException) {
            return new Failure(Reason.NOT_FORWARDED, false, "the gateway did not forward: " + what);
        }
        if (core instanceof RpcException answer) { // the guard speaks so; anybody else is the service
            return answer.isForbidden() && what.startsWith(REFUSED)
                    ? new Failure(Reason.REFUSED_THERE, false, "the destination refused: " + rest(what, REFUSED))
                    : new Failure(Reason.REMOTE_FAILURE, true, "a call of the service itself failed: " + what);
        }
        Failure said = core instanceof RemotingException ? saidInAFrame(what) : null;
        if (said != null) {
            return said;
        }
        if (core instanceof TimeoutException || core instanceof java.util.concurrent.TimeoutException) {
            return new Failure(Reason.TIMEOUT, true, what);
        }
        if (core instanceof SerializationException) {
            return new Failure(Reason.SERIALIZATION, true, what);
        }
        if (core instanceof RemotingException && INACTIVE.matcher(what).find()) {
            return new Failure(Reason.CONNECTION_LOST, true, what);
        }
        return new Failure(Reason.REMOTE_FAILURE, true, what);
    }

    /** In the words of a Dubbo frame that carries an error, where no service can write. */
    private static @Nullable Failure saidInAFrame(String what) {
        if (NOT_FORWARDED_BY_ENVOY.stream().anyMatch(what::startsWith)) {
            return new Failure(Reason.NOT_FORWARDED, false, "the gateway did not forward: " + what);
        }
        if (ERROR_OF_ENVOY.stream().anyMatch(what::startsWith)) {
            return new Failure(Reason.GATEWAY_ERROR, true, "the gateway answered: " + what);
        }
        return saidByTheWay(what);
    }

    /** What gateways, guard and Dubbo's servers say in words; only at the start of a message, where nobody else writes. */
    private static @Nullable Failure saidByTheWay(String what) {
        if (what.startsWith(NOT_FORWARDED)) {
            return new Failure(
                    Reason.NOT_FORWARDED, false, "the gateway did not forward: " + rest(what, NOT_FORWARDED));
        }
        if (what.startsWith(REFUSED)) {
            return new Failure(Reason.REFUSED_THERE, false, "the destination refused: " + rest(what, REFUSED));
        }
        if (what.startsWith(NOT_WRITTEN)) {
            return new Failure(
                    Reason.GATEWAY_DOWN, false, "the connection was lost while writing: " + rest(what, NOT_WRITTEN));
        }
        if (what.startsWith(CONNECTION_LOST)) {
            return new Failure(
                    Reason.CONNECTION_LOST, true, "a gateway lost its connection: " + rest(what, CONNECTION_LOST));
        }
        if (NOT_THERE.stream().anyMatch(what::startsWith)) {
            return new Failure(Reason.NO_SUCH_SERVICE, false, "the destination does not have the service");
        }
        if (what.startsWith("Fail to decode request due to")) {
            return what.contains("parameterTypes=null") // Dubbo finds no service to read them by
                    ? new Failure(Reason.NO_SUCH_SERVICE, false, "the destination does not know the service")
                    : new Failure(Reason.SERIALIZATION, false, "the provider cannot read the request");
        }
        return null;
    }

    /** A Triple status comes from our own side, a gateway or the provider. */
    private static Failure ofStatus(TriRpcStatus status, String gateway) {
        String description = status.description == null ? "" : status.description;
        Failure said = SAYS_THE_WAY.contains(status.code) ? saidByTheWay(description) : null;
        if (said != null) {
            return said;
        }
        String what = "triple answered " + status.toMessageWithoutCause();
        return switch (status.code) {
            case UNAVAILABLE -> unavailable(description, gateway, what);
            case DEADLINE_EXCEEDED -> new Failure(Reason.TIMEOUT, true, what);
            // a proxy without a route says nothing more; with a description the service itself may have said it
            case UNIMPLEMENTED -> new Failure(Reason.NO_SUCH_SERVICE, !description.isEmpty(), what);
            case NOT_FOUND -> new Failure(Reason.NO_SUCH_SERVICE, true, what);
            case CANCELLED -> new Failure(Reason.CONNECTION_LOST, true, what);
            case INTERNAL ->
                description.equals(UNWRITABLE_FOR_TRIPLE) && status.cause != null // no answer has one
                        ? new Failure(Reason.SERIALIZATION, false, UNWRITABLE + status.cause)
                        : internal(what);
            default -> new Failure(Reason.REMOTE_FAILURE, true, what);
        };
    }

    private static Failure internal(String what) {
        return what.contains("Http2 exception")
                ? new Failure(Reason.CONNECTION_LOST, true, what)
                : new Failure(Reason.REMOTE_FAILURE, true, what);
    }

    /**
     * What gateways say for 502, 503 and 504. Envoy's own words tell whether it had sent the request ("reset reason:
     * connection failure"), but a service whose own call failed may repeat them, so they prove nothing.
     */
    private static Failure unavailable(String description, String gateway, String what) {
        return description.equals("upstream " + gateway + " is unavailable")
                ? new Failure(Reason.GATEWAY_DOWN, false, "not connected")
                : new Failure(Reason.GATEWAY_ERROR, true, what);
    }

    private static String firstLine(Throwable thrown) {
        String message = thrown.getMessage();
        String line =
                message == null ? "" : message.lines().findFirst().orElse("").trim();
        line = line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
        return line.isEmpty() ? thrown.getClass().getName() : line;
    }

    private static String rest(String what, String marker) {
        return what.substring(what.indexOf(marker) + marker.length()).trim();
    }
}
