// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.outcome;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.InternalHighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.connection.channel.AttemptEvidence;
import io.highway.sdk.dubbo.connection.channel.ConnectionBusyException;
import io.highway.sdk.dubbo.connection.channel.NotWrittenException;
import io.highway.sdk.dubbo.connection.channel.UnreadableExceptionException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.dubbo.common.serialize.SerializationException;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.TimeoutException;
import org.apache.dubbo.remoting.transport.ExceedPayloadLimitException;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.StatusRpcException;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * The classified failure of a call, for both protocols, thrown or answered.
 *
 * <p>A call was certainly not executed if {@link AttemptEvidence} proves it, or if this process threw before it wrote
 * anything. Every other call may have run; texts only determine the reason.
 *
 * @param reason why the call failed
 * @param mayHaveRun whether the request may have been executed
 * @param what what happened, without a full stop
 */
public record Failure(Reason reason, boolean mayHaveRun, String what) {

    /** Prefix of the guard's messages, for people; it proves nothing. */
    public static final String REFUSED = "HIGHWAY-REFUSED:";

    /** Prefix of the message of a gateway that lost the connection behind it. */
    private static final String CONNECTION_LOST = "HIGHWAY-CONNECTION-LOST:";

    /** The text of Triple's {@code TripleClientCall} for a request whose headers were sent without a message. */
    private static final String UNWRITABLE_FOR_TRIPLE = "Serialize request failed";

    /** Text of a Dubbo connection whose write did not end in time. */
    private static final Pattern LATE = Pattern.compile("in timeout\\(\\d+ms\\) limit");

    private static final String CLASS_NOT_FOUND = "Caused by: " + ClassNotFoundException.class.getName() + ": ";

    /** {@code GenericFilter} and the wrappers of {@code JavassistProxyFactory}. */
    private static final Pattern NO_METHOD = Pattern.compile(
            "^(?:org\\.apache\\.dubbo\\.rpc\\.RpcException: )?(?:No such method \\S+ in class|Failed to invoke remote proxy"
                    + " method .*, cause: Not found method \")");

    private static final Pattern NO_CLASS = Pattern.compile(Pattern.quote(CLASS_NOT_FOUND) + "(\\S+)");

    private static final Pattern NO_METHOD_BY_TRIPLE = Pattern.compile("^[Mm]ethod( not found)?:|^Method not found");

    /**
     * Dubbo 3.3.6's {@code DescriptorUtils#findTripleMethodDescriptor} fails with this text if a service has no method
     * of that name.
     */
    private static final String NO_METHOD_BY_ACCIDENT = "because \"methodDescriptors\" is null";

    /** Text of Dubbo's {@code ObjectInput#readThrowable} if the class is missing here. */
    private static final String NO_EXCEPTION = "java.io.IOException: Response data error, expect Throwable";

    private static final Pattern INACTIVE = Pattern.compile("^Channel .* is inactive");

    /** Prefixes of Envoy's {@code dubbo_proxy}, among others for a connection that was lost with the call in flight. */
    private static final List<String> ERROR_OF_ENVOY = List.of("dubbo upstream request: ", "dubbo router: ");

    /**
     * Classifies an exception that {@code Invoker#invoke} threw.
     *
     * @param evidence the connection's evidence of the attempt; null proves nothing
     */
    public static Failure thrown(Throwable thrown, @Nullable AttemptEvidence evidence) {
        Throwable cause = thrown.getCause();
        if (thrown instanceof HighwayException
                || thrown instanceof StatusRpcException
                || !(thrown instanceof RpcException rpc)) {
            return answered(thrown, evidence);
        }
        if (cause instanceof ExecutionException || cause instanceof CompletionException) {
            return answered(cause, evidence);
        }
        if (thrown instanceof NotWrittenException known) {
            return new Failure(known.reason(), false, firstLine(known));
        }
        Failure outOfMemory = outOfMemory(cause, evidence);
        if (outOfMemory != null) {
            return outOfMemory;
        }
        String what = firstLine(rpc);
        if (rpc.isTimeout() || cause instanceof TimeoutException) {
            return new Failure(Reason.TIMEOUT, true, what);
        }
        if (cause instanceof RemotingException unwritten) { // an answer would be in an ExecutionException
            return unwritten(rpc, unwritten, evidence);
        }
        boolean neverLeft = evidence != null && (!evidence.hasPassedFilters() || evidence.neverLeft());
        return switch (rpc.getCode()) {
            case RpcException.TIMEOUT_TERMINATE -> new Failure(Reason.NO_TIME_LEFT, !neverLeft, what);
            case RpcException.NO_INVOKER_AVAILABLE_AFTER_FILTER -> new Failure(Reason.GATEWAY_DOWN, !neverLeft, what);
            default -> new Failure(Reason.REMOTE_FAILURE, !neverLeft, what);
        };
    }

    /** A failure because this process has no memory for the request, or null. */
    private static @Nullable Failure outOfMemory(@Nullable Throwable cause, @Nullable AttemptEvidence evidence) {
        Throwable why = cause instanceof RemotingException ? cause.getCause() : cause;
        if (why instanceof ConnectionBusyException full) {
            return busy(full);
        }
        if (why instanceof OutOfMemoryError) {
            boolean notSent = evidence != null && (evidence.unwritten() != null || evidence.neverLeft());
            return new Failure(Reason.BUSY, !notSent, NotWrittenException.NO_MEMORY + why);
        }
        return null;
    }

    private static Failure busy(ConnectionBusyException full) {
        return new Failure(Reason.BUSY, false, String.valueOf(full.getMessage()));
    }

    /** Classifies an exception that a filter threw after the call was sent: its answer, if any, is lost. */
    public static Failure afterwards(Throwable thrown) {
        return new Failure(
                Reason.REMOTE_FAILURE, true, "a consumer filter failed after the call: " + firstLine(thrown));
    }

    /** Classifies an exception of Dubbo's own connection while it took over the request. */
    private static Failure unwritten(
            RpcException rpc, RemotingException unwritten, @Nullable AttemptEvidence evidence) {
        String what = firstLine(unwritten);
        if (LATE.matcher(what).find()) { // Dubbo no longer waits for the write, which may still happen
            return new Failure(Reason.TIMEOUT, true, what);
        }
        boolean notSent = evidence != null && (evidence.unwritten() != null || evidence.neverLeft());
        if (unwritten.getCause() instanceof ExceedPayloadLimitException tooLarge) {
            String sizes = String.valueOf(tooLarge.getMessage())
                    .replaceFirst("^Data length too large: *", "")
                    .replaceFirst(", channel.*", "");
            return new Failure(Reason.TOO_LARGE, !notSent, "the request has a data length of " + sizes);
        }
        if (rpc.isSerialization()) {
            return new Failure(Reason.SERIALIZATION, !notSent, what);
        }
        return new Failure(notSent ? Reason.GATEWAY_DOWN : Reason.CONNECTION_LOST, !notSent, what);
    }

    /**
     * Classifies a failed future of a call, or an {@code RpcException} in its answer. The call may have run unless
     * there is evidence that it has not: any text in an answer may come from another call that the service made.
     *
     * @param evidence the connection's evidence of the attempt; null proves nothing
     */
    public static Failure answered(Throwable failure, @Nullable AttemptEvidence evidence) {
        Throwable core = failure;
        while ((core instanceof ExecutionException || core instanceof CompletionException) && core.getCause() != null) {
            core = core.getCause();
        }
        if (core instanceof HighwayException known) {
            return InternalHighwayException.isFromHere(known)
                    ? new Failure(known.reason(), known.mayHaveRun(), String.valueOf(known.getMessage()))
                    : new Failure(
                            Reason.REMOTE_FAILURE, true, "a call of the service itself failed: " + firstLine(known));
        }
        Failure proven = evidence == null ? null : proven(core, evidence);
        if (proven != null) {
            return proven;
        }
        if (core instanceof StatusRpcException status) {
            return ofStatus(status.getStatus());
        }
        String what = firstLine(core);
        if (core instanceof UnreadableExceptionException) {
            return new Failure(Reason.SERIALIZATION, true, what);
        }
        Failure missing =
                core instanceof RpcException || core instanceof RemotingException ? missing(core, what) : null;
        if (missing != null) {
            return missing;
        }
        if (core instanceof RpcException) {
            return new Failure(Reason.REMOTE_FAILURE, true, "a call of the service itself failed: " + what);
        }
        if (core instanceof TimeoutException || core instanceof java.util.concurrent.TimeoutException) {
            return new Failure(Reason.TIMEOUT, true, what);
        }
        if (core instanceof SerializationException) {
            return new Failure(Reason.SERIALIZATION, true, what);
        }
        return core instanceof RemotingException
                ? inAFrame(what, evidence)
                : new Failure(Reason.REMOTE_FAILURE, true, what);
    }

    /** Texts by which Dubbo's servers report a missing method or class; the service itself may write them, too. */
    private static @Nullable Failure missing(Throwable core, String what) {
        if (NO_METHOD.matcher(what).find()) {
            return new Failure(Reason.NO_SUCH_METHOD, true, "the provider answered: " + what);
        }
        Matcher type = core.getCause() instanceof ClassNotFoundException e
                ? NO_CLASS.matcher(CLASS_NOT_FOUND + e.getMessage())
                : NO_CLASS.matcher(String.valueOf(core.getMessage()));
        return type.find()
                ? new Failure(Reason.SERIALIZATION, true, "the provider does not have the class " + type.group(1))
                : null;
    }

    /** The failure that the evidence proves, whatever the answer contains; null if it proves none. */
    private static @Nullable Failure proven(Throwable core, AttemptEvidence evidence) {
        Throwable unwritten = evidence.unwritten();
        if (unwritten instanceof ConnectionBusyException full) {
            return busy(full);
        }
        if (unwritten != null) {
            return new Failure(Reason.GATEWAY_DOWN, false, "the request was not written: " + firstLine(unwritten));
        }
        AttemptEvidence.Statement statement = evidence.statement();
        if (statement != null) {
            return switch (statement.kind()) {
                case NOT_FORWARDED ->
                    new Failure(Reason.NOT_FORWARDED, false, "the gateway did not forward: " + statement.reason());
                case REFUSED ->
                    new Failure(Reason.REFUSED_THERE, false, "the destination refused: " + statement.reason());
                case NO_SUCH_SERVICE ->
                    new Failure(
                            Reason.NO_SUCH_SERVICE,
                            false,
                            "the destination does not have the service (" + statement.reason() + ")");
                case NO_SUCH_METHOD ->
                    new Failure(
                            Reason.NO_SUCH_METHOD,
                            false,
                            "the destination has the service without this method: "
                                    + statement.reason().replaceFirst("^no-such-method;? *", ""));
                case NO_SUCH_SERVICE_OR_METHOD ->
                    new Failure(
                            Reason.NO_SUCH_SERVICE,
                            false,
                            "the destination does not have the service, or has a release of it without this method or a"
                                    + " class of its parameters (" + statement.reason() + ")");
                case UNREADABLE -> new Failure(Reason.SERIALIZATION, false, "the provider cannot read the request");
            };
        }
        return evidence.neverLeft() ? neverLeft(core) : null;
    }

    private static Failure neverLeft(Throwable core) {
        if (core instanceof StatusRpcException status) {
            if (status.getStatus().cause instanceof OutOfMemoryError full) { // an answer has no cause
                return new Failure(Reason.BUSY, false, NotWrittenException.NO_MEMORY + full);
            }
            return switch (status.getStatus().code) {
                case DEADLINE_EXCEEDED -> new Failure(Reason.TIMEOUT, false, "the request was not written in time");
                case UNAVAILABLE -> new Failure(Reason.GATEWAY_DOWN, false, "not connected");
                case INTERNAL ->
                    UNWRITABLE_FOR_TRIPLE.equals(status.getStatus().description)
                            ? new Failure(
                                    Reason.SERIALIZATION,
                                    false,
                                    NotWrittenException.UNWRITABLE + status.getStatus().cause)
                            : new Failure(Reason.GATEWAY_DOWN, false, "no stream could be opened: " + why(status));
                default -> new Failure(Reason.GATEWAY_DOWN, false, "no stream could be opened: " + why(status));
            };
        }
        if (core instanceof RpcException rpc && rpc.getCode() == RpcException.TIMEOUT_TERMINATE) {
            return new Failure(Reason.NO_TIME_LEFT, false, firstLine(rpc));
        }
        if (core instanceof TimeoutException || core instanceof java.util.concurrent.TimeoutException) {
            return new Failure(Reason.TIMEOUT, false, firstLine(core));
        }
        return new Failure(Reason.GATEWAY_DOWN, false, "the request was not written: " + firstLine(core));
    }

    private static String why(StatusRpcException status) {
        Throwable cause = status.getStatus().cause;
        return cause == null ? status.getStatus().toMessageWithoutCause() : firstLine(cause);
    }

    /** Classifies the text of a Dubbo error frame; the evidence has already read its statements. */
    private static Failure inAFrame(String what, @Nullable AttemptEvidence evidence) {
        if (evidence != null && evidence.isWriteEnded()) {
            return new Failure(Reason.CONNECTION_LOST, true, "the connection was lost while writing: " + what);
        }
        if (ERROR_OF_ENVOY.stream().anyMatch(what::startsWith)) {
            return new Failure(Reason.GATEWAY_ERROR, true, "the gateway answered: " + what);
        }
        if (what.startsWith(CONNECTION_LOST)) {
            return lostByAGateway(what);
        }
        if (INACTIVE.matcher(what).find()) {
            return new Failure(Reason.CONNECTION_LOST, true, what);
        }
        if (what.startsWith(NO_EXCEPTION)) {
            return new Failure(Reason.SERIALIZATION, true, "the service threw an exception that cannot be read here");
        }
        return new Failure(Reason.REMOTE_FAILURE, true, what);
    }

    private static Failure lostByAGateway(String what) {
        return new Failure(
                Reason.CONNECTION_LOST,
                true,
                "a gateway lost its connection: "
                        + what.substring(CONNECTION_LOST.length()).trim());
    }

    /** A Triple status comes from this process, a gateway or the provider, so nothing in it is proof. */
    private static Failure ofStatus(TriRpcStatus status) {
        if (status.cause instanceof OutOfMemoryError full) { // an answer has no cause
            return new Failure(Reason.BUSY, true, NotWrittenException.NO_MEMORY + full);
        }
        String description = status.description == null ? "" : status.description;
        String what = "triple answered " + status.toMessageWithoutCause();
        return switch (status.code) {
            case UNAVAILABLE ->
                description.startsWith(CONNECTION_LOST)
                        ? lostByAGateway(description)
                        : new Failure(Reason.GATEWAY_ERROR, true, what);
            case DEADLINE_EXCEEDED -> new Failure(Reason.TIMEOUT, true, what);
            case UNIMPLEMENTED, NOT_FOUND ->
                new Failure(
                        NO_METHOD_BY_TRIPLE.matcher(description).find()
                                ? Reason.NO_SUCH_METHOD
                                : Reason.NO_SUCH_SERVICE,
                        true,
                        what);
            case UNKNOWN ->
                new Failure(
                        description.contains(NO_METHOD_BY_ACCIDENT) ? Reason.NO_SUCH_METHOD : Reason.REMOTE_FAILURE,
                        true,
                        what);
            case CANCELLED -> new Failure(Reason.CONNECTION_LOST, true, what);
            case INTERNAL ->
                description.equals(UNWRITABLE_FOR_TRIPLE) && status.cause != null // an answer has none
                        ? new Failure(Reason.SERIALIZATION, false, NotWrittenException.UNWRITABLE + status.cause)
                        : internal(what);
            default -> new Failure(Reason.REMOTE_FAILURE, true, what);
        };
    }

    private static Failure internal(String what) {
        return what.contains("Http2 exception")
                ? new Failure(Reason.CONNECTION_LOST, true, what)
                : new Failure(Reason.REMOTE_FAILURE, true, what);
    }

    private static String firstLine(Throwable thrown) {
        String message = thrown.getMessage();
        String line =
                message == null ? "" : message.lines().findFirst().orElse("").trim();
        line = line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
        return line.isEmpty() ? thrown.getClass().getName() : line;
    }
}
