// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.evidence;

import java.util.List;
import java.util.regex.Pattern;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.RpcException;
import org.jspecify.annotations.Nullable;

/**
 * The statements of docs/reference/wire-contract.md, "Proofs that a call was not sent", as the Dubbo protocol carries them, and what
 * they share with those of Triple.
 */
public final class NotSentStatements {

    /** The response attachment, and header, by which the destination's SDK states that it refused a call. */
    public static final String REFUSED = "highway-refused";

    /** The reason by which the destination's SDK states that it has no such service. */
    public static final String NO_SUCH_SERVICE = "no-such-service";

    /** The reason by which it states that the service has no such method; the methods that it has follow. */
    public static final String NO_SUCH_METHOD = "no-such-method";

    /** The reason by which it states that it cannot read messages in the encoding of the request; those it can follow. */
    public static final String NO_SUCH_ENCODING = "no-such-encoding";

    /** The reason by which it states that the caller is over a rate; nothing ran, and a later call may. */
    public static final String BUSY = "busy";

    /** The reason by which it states that no thread was free for the call; another provider may have one. */
    public static final String NO_THREAD = BUSY + "; " + NotSentStatements.THREAD_POOL;

    /** Its detail. */
    public static final String THREAD_POOL = "thread pool";

    /** The reason by which it states that a request came before: the call may have run then. */
    public static final String REPEATED = "repeated";

    /** The same, of a signed request. */
    public static final String REPLAYED = "replayed";

    /** Precedes, in a refusal, the call that it is about, so that a refusal which a service relays is not accepted. */
    public static final String ABOUT = "; about ";

    /** Begins what a Triple provider says of an answer that it cannot write: Dubbo 3.2, and with 3.3 the SDK. */
    public static final String UNWRITABLE = "Serialize response failed";

    /** Precedes, in an error that is made here, the status of an answer by HTTP that no Dubbo server wrote. */
    public static final String HTTP_ANSWER = "HTTP ";

    /** The word for an admitted call that does not run, since it cannot be decoded, or its caller has left. */
    public static final String NOT_RUN = "not-run";

    /** The reason of a destination that is another island than the call's. */
    public static final String WRONG_ISLAND = "wrong-island";

    /** Begins the messages of refusals, for people; it proves nothing. */
    public static final String REFUSED_MESSAGE = "HIGHWAY-REFUSED:";

    /** Precedes the island and the reason in the error by which a gateway states that it did not forward a call. */
    public static final String NOT_FORWARDED_MESSAGE = "HIGHWAY-NOT-FORWARDED:";

    /**
     * The text of {@code HeaderExchangeHandler} for an exception that {@code DubboProtocol} throws before any filter
     * runs.
     */
    private static final String NO_EXPORTED_SERVICE =
            RemotingException.class.getName() + ": Not found exported service";

    /** The text of its answer to a request that could not be decoded and did not reach a service. */
    private static final String UNREADABLE = "Fail to decode request due to";

    /** The errors that Envoy's {@code dubbo_proxy} (1.40) writes before it has sent anything. */
    private static final List<String> NOT_FORWARDED_BY_ENVOY = List.of(
            "dubbo router: no route for interface '",
            "dubbo router: no healthy upstream for '",
            "dubbo router: unknown cluster '",
            "dubbo router: maintenance mode for cluster '",
            "dubbo upstream request: too many connections",
            "dubbo upstream request: connection failure '");

    /** A statement is one header: a method's name that is longer would make it too large for a caller to read. */
    private static final int LONGEST_CALL = 1_000;

    private static final Pattern NO_ASCII = Pattern.compile("[^ -~]");

    private NotSentStatements() {}

    /**
     * What a refused call is answered with. Without a stack trace, which would be most of the answer's bytes and says
     * nothing to the caller.
     */
    public static RpcException refusal(String message) {
        RpcException exception = new RpcException(RpcException.FORBIDDEN_EXCEPTION, REFUSED_MESSAGE + message);
        exception.setStackTrace(new StackTraceElement[0]);
        return exception;
    }

    /** Whether a reason says that the same request came before. */
    public static boolean isRepeat(String reason) {
        return reason.equals(REPEATED) || reason.equals(REPLAYED);
    }

    /** The call that a refusal is about, the same at both ends: the name of a generic call's method is any text. */
    public static String call(String service, String method) {
        String call = service + "#" + method;
        return ascii(call.length() > LONGEST_CALL ? call.substring(0, LONGEST_CALL) : call);
    }

    /** With a question mark for each other character. */
    public static String ascii(String text) {
        return NO_ASCII.matcher(text).replaceAll("?");
    }

    /** Reads an answer as received over a Dubbo connection to a gateway. */
    public static void read(AppResponse response, AttemptEvidence evidence) {
        if (response.getException() instanceof RpcException refusal && refusal.isForbidden()) {
            String reason = reasonFor(evidence, response.getAttachment(REFUSED));
            if (reason != null) {
                refused(evidence, reason);
            }
        }
    }

    /** As {@link #read}, of an error: servers write text of a service only after the name of an exception class, or a fixed text. */
    public static void readError(byte status, String message, AttemptEvidence evidence) {
        if (status == Response.SERVICE_ERROR && message.startsWith(NOT_FORWARDED_MESSAGE)) {
            String reason = reasonFor(
                    evidence, message.substring(NOT_FORWARDED_MESSAGE.length()).trim());
            if (reason != null) {
                evidence.state(AttemptEvidence.Kind.NOT_FORWARDED, reason);
            }
        } else if (status == Response.SERVICE_ERROR && message.startsWith(NO_EXPORTED_SERVICE)) {
            evidence.state(AttemptEvidence.Kind.NO_SUCH_SERVICE, "Not found exported service");
        } else if (status == Response.BAD_REQUEST && message.startsWith(UNREADABLE)) {
            evidence.state(unread(message), firstLine(message));
        } else if ((status == Response.SERVICE_NOT_FOUND || status == Response.SERVER_ERROR)
                && NOT_FORWARDED_BY_ENVOY.stream().anyMatch(message::startsWith)) {
            evidence.state(AttemptEvidence.Kind.NOT_FORWARDED, firstLine(message));
        }
    }

    /** What was missing at a server that could not decode a request. */
    private static AttemptEvidence.Kind unread(String message) {
        if (!message.contains("parameterTypes=null")) {
            return AttemptEvidence.Kind.UNREADABLE;
        }
        // Dubbo knows the types of generic calls without the service, of others by the method
        return message.contains("methodName=$invoke")
                ? AttemptEvidence.Kind.NO_SUCH_SERVICE
                : AttemptEvidence.Kind.NO_SUCH_SERVICE_OR_METHOD;
    }

    /** The text after the island of this call, or null if the statement names another island or none. */
    public static @Nullable String reasonFor(AttemptEvidence evidence, @Nullable String statement) {
        String prefix = evidence.island() + ";";
        return statement != null && statement.startsWith(prefix)
                ? firstLine(statement.substring(prefix.length()).trim())
                : null;
    }

    /** A refusal by the destination's SDK, if it is about this call and not about one that the service made itself. */
    public static void refused(AttemptEvidence evidence, String reason) {
        int about = reason.lastIndexOf(ABOUT);
        if (about < 0) {
            state(evidence, reason);
        } else {
            String call = reason.substring(about + ABOUT.length());
            if (evidence.methods().stream().anyMatch(method -> call.equals(call(evidence.service(), method)))) {
                state(evidence, reason.substring(0, about));
            }
        }
    }

    private static void state(AttemptEvidence evidence, String reason) {
        if (isWord(reason, NO_SUCH_SERVICE)) {
            evidence.state(AttemptEvidence.Kind.NO_SUCH_SERVICE, reason);
        } else if (isWord(reason, NO_SUCH_METHOD)) {
            evidence.state(AttemptEvidence.Kind.NO_SUCH_METHOD, reason);
        } else if (isWord(reason, NO_SUCH_ENCODING)) {
            evidence.state(AttemptEvidence.Kind.NO_SUCH_ENCODING, reason);
        } else if (isWord(reason, NO_THREAD)) {
            evidence.state(AttemptEvidence.Kind.NO_THREAD, reason);
        } else if (isWord(reason, BUSY)) {
            evidence.state(AttemptEvidence.Kind.BUSY, reason);
        } else if (isWord(reason, WRONG_ISLAND)) {
            evidence.state(AttemptEvidence.Kind.MISROUTED, reason);
        } else {
            evidence.state(AttemptEvidence.Kind.REFUSED, reason);
        }
    }

    private static boolean isWord(String reason, String word) {
        return reason.equals(word) || reason.startsWith(word + ";");
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
