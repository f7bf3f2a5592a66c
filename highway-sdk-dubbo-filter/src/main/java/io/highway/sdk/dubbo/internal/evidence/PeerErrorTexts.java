// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.evidence;

import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The texts of Dubbo 3.3.6, Netty and gateways by which a failure is recognised. A service can write each of them, so
 * they determine only the reason and never prove that a call has not run.
 */
final class PeerErrorTexts {

    private static final Pattern URL_PARAMETERS = Pattern.compile("(\\w://[^\\s?]+)\\?\\S*?(?=,? |$)");

    /** {@code ExchangeCodec#encodeResponse}, before the answer, and the cause after it. */
    private static final Pattern UNWRITABLE_ANSWER =
            Pattern.compile("(?s)^Failed to send response: Response .*?, cause: ([^\r\n]*)");

    /** As this process says of an answer that it cannot read; an answer has no cause. */
    static final String UNREADABLE_FOR_TRIPLE = "Deserialize response failed";

    /** A class that Dubbo 3.2 does not have. */
    static final String DECODE_EXCEPTION = "org.apache.dubbo.remoting.http12.exception.DecodeException";

    /** Another one: the time of the call was over at the server. */
    static final String REQUEST_TIMEOUT = "org.apache.dubbo.remoting.http12.exception.HttpRequestTimeout";

    /** Netty, in a Triple status: the peer refused the stream; HAProxy does when a provider closes the connection. */
    static final Predicate<String> REFUSED_STREAM = containing("errorCode=7\\b");

    /** Dubbo's server: {@code GenericFilter} and the wrappers of {@code JavassistProxyFactory}. */
    static final Predicate<String> NO_METHOD = containing(
            "^(?:org\\.apache\\.dubbo\\.rpc\\.RpcException: )?(?:No such method \\S+ in class|Failed to invoke remote proxy"
                    + " method .*, cause: Not found method \")");

    /** Dubbo's Triple server, in a status. */
    static final Predicate<String> NO_METHOD_BY_TRIPLE = containing("^[Mm]ethod( not found)?:|^Method not found");

    /** Dubbo's Triple server 3.3 and 3.2, grpc-go and grpc-java, in a status: they do not have a decompressor. */
    static final Predicate<String> NO_ENCODING =
            containing("\\.DeCompressor by name \\w|^[Gg]rpc-encoding '\\S+' is not supported|^grpc-encoding '\\S+'$"
                    + "|Decompressor is not installed for grpc-encoding|^Can't find decompressor for ");

    /** {@code DescriptorUtils#findTripleMethodDescriptor} fails so if a service has no method of that name. */
    static final String NO_METHOD_BY_ACCIDENT = "because \"methodDescriptors\" is null";

    private static final String CLASS_NOT_FOUND = "Caused by: " + ClassNotFoundException.class.getName() + ": ";

    /** Dubbo's server, in the stack trace of its answer. */
    private static final Pattern NO_CLASS = Pattern.compile(Pattern.quote(CLASS_NOT_FOUND) + "(\\S+)");

    /** Envoy's {@code dubbo_proxy}, among others for a connection that was lost with the call in flight. */
    static final Predicate<String> ERROR_OF_ENVOY = containing("^dubbo (?:upstream request|router): ");

    /** {@code AbstractTripleClientStream}: a response that is not gRPC. */
    static final Predicate<String> NO_GRPC = containing("HTTP status: \\d+, invalid content-type: ");

    private static final Pattern PAGE = Pattern.compile("invalid content-type: (?:text/html|application/xhtml)");

    /** By the tunnel over HTTP/1.1: Triple's port of Dubbo 3.3, or a web server. */
    private static final Pattern NO_RECEIVER = Pattern.compile("\\bHTTP 404\\b");

    /** nginx and HAProxy by the status; Envoy by the text. */
    private static final Pattern GATEWAY_TIME_OUT =
            Pattern.compile("HTTP status: 504\\b|upstream (?:request timeout|max stream duration reached)");

    /** nginx and HAProxy by the status; Envoy by the text. */
    private static final Pattern UPSTREAM_RESET =
            Pattern.compile("HTTP status: 502\\b|upstream connect error|dubbo upstream request: |reset before headers");

    /** Any gateway that follows the wire contract and has lost the connection behind it. */
    private static final String CONNECTION_LOST = "HIGHWAY-CONNECTION-LOST:";

    private PeerErrorTexts() {}

    private static Predicate<String> containing(String regex) {
        return Pattern.compile(regex).asPredicate();
    }

    /** The text without the parameters of Dubbo's URLs, which take 600 characters. */
    static String withoutParameters(String text) {
        return URL_PARAMETERS.matcher(text).replaceAll("$1");
    }

    /** Why the provider could not write the answer, without the answer, which Dubbo prints before it; null if it could. */
    static @Nullable String causeOfUnwritableAnswer(String text) {
        Matcher unwritable = UNWRITABLE_ANSWER.matcher(text);
        return unwritable.find() ? unwritable.group(1) : null;
    }

    /** The class that the provider does not have, or null if the exception reports none. */
    static @Nullable String missingClass(Throwable answer) {
        Matcher type = answer.getCause() instanceof ClassNotFoundException e
                ? NO_CLASS.matcher(CLASS_NOT_FOUND + e.getMessage())
                : NO_CLASS.matcher(String.valueOf(answer.getMessage()));
        return type.find() ? type.group(1) : null;
    }

    /** What a gateway reported, in the text of a {@code gateway-error}. */
    static GatewayError gatewayError(String text) {
        if (GATEWAY_TIME_OUT.matcher(text).find()) { // before the page that nginx and HAProxy send with it
            return GatewayError.TIME_OUT;
        }
        if (UPSTREAM_RESET.matcher(text).find()) {
            return GatewayError.RESET;
        }
        if (NO_RECEIVER.matcher(text).find()) {
            return GatewayError.NO_RECEIVER;
        }
        return PAGE.matcher(text).find() ? GatewayError.PAGE : GatewayError.STATUS;
    }

    /** The connection that a gateway reports as lost, or null if the text is no such report. */
    static @Nullable String connectionLostByGateway(String text) {
        return text.startsWith(CONNECTION_LOST)
                ? text.substring(CONNECTION_LOST.length()).trim()
                : null;
    }

    /** Dubbo's text of a failed call, without the addresses and versions at its end. */
    static String withoutAddresses(String what) {
        int end = what.indexOf(", provider: ");
        return end < 0 ? what : what.substring(0, end);
    }
}
