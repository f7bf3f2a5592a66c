// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.evidence;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.InternalHighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.evidence.Failure.Place;
import io.highway.sdk.dubbo.internal.network.compression.UnreadableAnswerException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.dubbo.common.serialize.SerializationException;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.TimeoutException;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.StatusRpcException;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Classifies failed calls of both protocols. A call was certainly not executed if {@link AttemptEvidence} proves it, or
 * if this process threw before it wrote anything. Every other call may have run; texts only determine the reason.
 */
public final class FailureClassifier {

    private FailureClassifier() {}

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
            return Failure.notRun(known.reason(), firstLine(known));
        }
        Failure outOfMemory = outOfMemory(cause, evidence);
        if (outOfMemory != null) {
            return outOfMemory;
        }
        String what = firstLine(rpc);
        if (rpc.isTimeout() || cause instanceof TimeoutException) {
            return Failure.maybeRun(Reason.TIMEOUT, what);
        }
        boolean neverLeft = evidence != null && (!evidence.hasPassedFilters() || evidence.neverLeft());
        return switch (rpc.getCode()) {
            case RpcException.TIMEOUT_TERMINATE -> new Failure(Reason.NO_TIME_LEFT, !neverLeft, what);
            case RpcException.NO_INVOKER_AVAILABLE_AFTER_FILTER -> new Failure(Reason.GATEWAY_DOWN, !neverLeft, what);
            default -> new Failure(Reason.REMOTE_FAILURE, !neverLeft, what);
        };
    }

    /** Classifies an exception that a filter threw after the call was sent: its answer, if any, is lost. */
    public static Failure afterwards(Throwable thrown) {
        return Failure.maybeRun(Reason.REMOTE_FAILURE, "a consumer filter failed after the call: " + firstLine(thrown));
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
            return ofAnotherCall(known, evidence);
        }
        Failure proven = evidence == null ? null : proven(core, evidence);
        if (proven != null) {
            return proven;
        }
        if (core instanceof StatusRpcException status) {
            if (evidence != null && isUnknownEncoding(status.getStatus())) {
                evidence.encodingRefused();
            }
            return ofStatus(status.getStatus());
        }
        return ofException(core);
    }

    private static Failure ofException(Throwable core) {
        String what = firstLine(core);
        if (core instanceof UnreadableExceptionException) {
            return Failure.maybeRun(Reason.SERIALIZATION, what);
        }
        if (core instanceof UnreadableAnswerException unreadable) {
            return unreadableAnswer(unreadable);
        }
        if (core instanceof LostConnectionException) {
            return Failure.maybeRun(Reason.CONNECTION_LOST, what);
        }
        if (isA(core, PeerErrorTexts.DECODE_EXCEPTION)) {
            return Failure.maybeRun(Reason.SERIALIZATION, "the provider could not read the request: " + what);
        }
        if (isA(core, PeerErrorTexts.REQUEST_TIMEOUT)) {
            return Failure.maybeRun(Reason.TIMEOUT, "the provider's time was over: " + what);
        }
        Failure missing =
                core instanceof RpcException || core instanceof RemotingException ? missing(core, what) : null;
        if (missing != null) {
            return missing;
        }
        if (core instanceof RpcException) {
            return ofTheService(what);
        }
        if (core instanceof TimeoutException || core instanceof java.util.concurrent.TimeoutException) {
            return Failure.maybeRun(Reason.TIMEOUT, what);
        }
        if (core instanceof SerializationException) {
            return Failure.maybeRun(Reason.SERIALIZATION, what);
        }
        return core instanceof RemotingException
                ? ofFrame(what, String.valueOf(core.getMessage()))
                : Failure.maybeRun(Reason.REMOTE_FAILURE, what);
    }

    /**
     * Whether an exception in an answer is one of Dubbo's own Triple server (3.3): it could not decode the request, such as
     * a compressed one of an interface that is not generated from a {@code .proto} file, or the time of an asynchronous call
     * was over there. The service may have thrown it, too.
     */
    public static boolean isOfTheServer(@Nullable Throwable answer) {
        return isA(answer, PeerErrorTexts.DECODE_EXCEPTION) || isA(answer, PeerErrorTexts.REQUEST_TIMEOUT);
    }

    private static boolean isA(@Nullable Throwable thrown, String className) {
        return thrown != null && thrown.getClass().getName().equals(className);
    }

    /** The failure of a call that the service made, or that a filter of this process made before or after the call. */
    private static Failure ofAnotherCall(HighwayException known, @Nullable AttemptEvidence evidence) {
        if (!InternalHighwayException.isFromHere(known)) {
            return ofTheService(firstLine(known));
        }
        boolean isCertain = known.mayHaveRun() || (evidence != null && !evidence.hasPassedFilters());
        return isCertain
                ? new Failure(known.reason(), known.mayHaveRun(), String.valueOf(known.getMessage()))
                : afterwards(known);
    }

    private static Failure ofTheService(String what) {
        return Failure.maybeRun(Reason.REMOTE_FAILURE, "a call of the service itself failed: " + what);
    }

    /** A failure because this process has no memory for the request, or null. */
    private static @Nullable Failure outOfMemory(@Nullable Throwable cause, @Nullable AttemptEvidence evidence) {
        return cause instanceof OutOfMemoryError
                ? new Failure(Reason.BUSY, !isNotSent(evidence), NotWrittenException.NO_MEMORY + cause)
                : null;
    }

    private static boolean isNotSent(@Nullable AttemptEvidence evidence) {
        return evidence != null && (evidence.unwritten() != null || evidence.neverLeft());
    }

    /** The failure that the evidence proves, whatever the answer contains; null if it proves none. */
    private static @Nullable Failure proven(Throwable core, AttemptEvidence evidence) {
        Throwable unwritten = evidence.unwritten();
        if (unwritten instanceof NotWrittenException known) {
            return Failure.notRun(known.reason(), firstLine(known));
        }
        if (unwritten != null) {
            return Failure.notRun(Reason.GATEWAY_DOWN, "the request was not written: " + firstLine(unwritten));
        }
        AttemptEvidence.Statement statement = evidence.statement();
        if (statement != null) {
            return stated(statement);
        }
        return evidence.neverLeft() ? neverLeft(core) : null;
    }

    private static Failure stated(AttemptEvidence.Statement statement) {
        String reason = statement.reason();
        return switch (statement.kind()) {
            case NOT_FORWARDED -> Failure.notRun(Reason.NOT_FORWARDED, "the gateway did not forward: " + reason);
            case REFUSED -> Failure.refused(Reason.REFUSED_THERE, Place.ISLAND, reason);
            case BUSY -> Failure.refused(Reason.BUSY, Place.ISLAND, reason);
            case NO_THREAD -> Failure.refused(Reason.BUSY, Place.PROVIDER, reason);
            case MISROUTED -> Failure.refused(Reason.REFUSED_THERE, Place.ANOTHER_ISLAND, reason);
            case NO_SUCH_SERVICE ->
                Failure.notRun(Reason.NO_SUCH_SERVICE, "the destination does not have the service (" + reason + ")");
            case NO_SUCH_METHOD ->
                Failure.notRun(
                        Reason.NO_SUCH_METHOD,
                        "the destination has the service without this method: "
                                + reason.replaceFirst("^no-such-method;? *", ""));
            case NO_SUCH_SERVICE_OR_METHOD ->
                Failure.notRun(
                        Reason.NO_SUCH_SERVICE,
                        "the destination does not have the service, or has a release of it without this method or a"
                                + " class of its parameters (" + reason + ")");
            case NO_SUCH_ENCODING ->
                Failure.notRun(
                        Reason.SERIALIZATION,
                        "the provider cannot read how the request is compressed: "
                                + reason.replaceFirst("^no-such-encoding;? *", ""));
            case UNREADABLE -> Failure.notRun(Reason.SERIALIZATION, "the provider cannot read the request");
        };
    }

    private static Failure neverLeft(Throwable core) {
        if (core instanceof RpcException rpc && rpc.getCode() == RpcException.TIMEOUT_TERMINATE) {
            return Failure.notRun(Reason.NO_TIME_LEFT, firstLine(rpc));
        }
        if (core instanceof TimeoutException || core instanceof java.util.concurrent.TimeoutException) {
            return Failure.notRun(Reason.TIMEOUT, firstLine(core));
        }
        return Failure.notRun(Reason.GATEWAY_DOWN, "the request was not written: " + firstLine(core));
    }

    /** Texts by which Dubbo's servers report a missing method or class; the service itself may write them, too. */
    private static @Nullable Failure missing(Throwable core, String what) {
        if (PeerErrorTexts.NO_METHOD.test(what)) {
            return Failure.maybeRun(Reason.NO_SUCH_METHOD, "the provider answered: " + what);
        }
        String type = PeerErrorTexts.missingClass(core);
        return type == null
                ? null
                : Failure.maybeRun(Reason.SERIALIZATION, "the provider does not have the class " + type);
    }

    /** The first line and the text of a Dubbo error frame; the evidence has already read its statements. */
    private static Failure ofFrame(String what, String text) {
        if (PeerErrorTexts.ERROR_OF_ENVOY.test(what) || what.startsWith(NotSentStatements.HTTP_ANSWER)) {
            return Failure.maybeRun(Reason.GATEWAY_ERROR, "the gateway answered: " + what);
        }
        String lost = PeerErrorTexts.connectionLostByGateway(what);
        if (lost != null) {
            return Failure.lostByAGateway(lost);
        }
        String unwritable = PeerErrorTexts.causeOfUnwritableAnswer(text);
        return unwritable != null ? unwritableAnswer(unwritable) : Failure.maybeRun(Reason.REMOTE_FAILURE, what);
    }

    private static Failure unwritableAnswer(String what) {
        return Failure.maybeRun(Reason.SERIALIZATION, "the provider cannot write the answer: " + what);
    }

    private static Failure unreadableAnswer(String what) {
        return Failure.maybeRun(Reason.SERIALIZATION, "this process cannot read the answer: " + what);
    }

    private static Failure unreadableAnswer(UnreadableAnswerException unreadable) {
        String what = firstLine(unreadable);
        return unreadable.isForMemory()
                ? Failure.maybeRun(Reason.BUSY, "this process cannot read the answer: " + what)
                : unreadableAnswer(what);
    }

    /** What an answer without a message counts as. */
    public static StatusRpcException withoutMessage() {
        return TriRpcStatus.INTERNAL
                .withCause(new UnreadableAnswerException("it has no message, or one that cannot be inflated"))
                .asException();
    }

    private static boolean isUnknownEncoding(TriRpcStatus status) {
        return status.description != null && PeerErrorTexts.NO_ENCODING.test(status.description);
    }

    /** A Triple status comes from this process, a gateway or the provider, so nothing in it is proof. */
    private static Failure ofStatus(TriRpcStatus status) {
        if (status.cause instanceof OutOfMemoryError full) { // of this process: an answer has no cause
            return unreadableAnswer(new UnreadableAnswerException(full.toString(), full));
        }
        if (status.cause instanceof NotWrittenException later) { // a stream has begun before
            return Failure.maybeRun(later.reason(), firstLine(later));
        }
        if (status.cause instanceof UnreadableAnswerException unreadable) {
            return unreadableAnswer(unreadable);
        }
        String description = status.description == null ? "" : status.description;
        String what = "triple answered " + status.toMessageWithoutCause();
        if (isUnknownEncoding(status)) {
            return Failure.maybeRun(
                    Reason.SERIALIZATION, "the provider cannot read how the request is compressed: " + what);
        }
        if (PeerErrorTexts.NO_GRPC.test(description) && status.code != TriRpcStatus.Code.UNIMPLEMENTED) {
            return Failure.maybeRun(
                    Reason.GATEWAY_ERROR, what.lines().findFirst().orElse(what)); // without the page
        }
        return ofStatus(status, description, what.replaceAll("\\p{Cntrl}+", " ")); // a peer writes no log lines
    }

    private static Failure ofStatus(TriRpcStatus status, String description, String what) {
        if (description.startsWith(NotSentStatements.UNWRITABLE)) {
            return unwritableAnswer(what);
        }
        return switch (status.code) {
            case UNAVAILABLE -> {
                String lost = PeerErrorTexts.connectionLostByGateway(description);
                yield lost == null ? Failure.maybeRun(Reason.GATEWAY_ERROR, what) : Failure.lostByAGateway(lost);
            }
            case DEADLINE_EXCEEDED -> Failure.maybeRun(Reason.TIMEOUT, what);
            case UNIMPLEMENTED, NOT_FOUND ->
                Failure.maybeRun(
                        PeerErrorTexts.NO_METHOD_BY_TRIPLE.test(description)
                                ? Reason.NO_SUCH_METHOD
                                : Reason.NO_SUCH_SERVICE,
                        what);
            case UNKNOWN ->
                Failure.maybeRun(
                        description.contains(PeerErrorTexts.NO_METHOD_BY_ACCIDENT)
                                ? Reason.NO_SUCH_METHOD
                                : Reason.REMOTE_FAILURE,
                        what);
            case CANCELLED -> Failure.maybeRun(Reason.CONNECTION_LOST, what);
            case INTERNAL -> internal(status.cause, description, what);
            default -> Failure.maybeRun(Reason.REMOTE_FAILURE, what);
        };
    }

    /** @param cause of a status that this process has made; an answer has none */
    private static Failure internal(@Nullable Throwable cause, String description, String what) {
        if (cause != null && description.equals(PeerErrorTexts.UNREADABLE_FOR_TRIPLE)) {
            return unreadableAnswer(firstLine(cause));
        }
        return Failure.maybeRun(Reason.REMOTE_FAILURE, what);
    }

    private static String firstLine(Throwable thrown) {
        String message = thrown.getMessage();
        String line =
                message == null ? "" : message.lines().findFirst().orElse("").trim();
        line = PeerErrorTexts.withoutParameters(line);
        line = line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
        return line.isEmpty() ? thrown.getClass().getName() : line;
    }
}
