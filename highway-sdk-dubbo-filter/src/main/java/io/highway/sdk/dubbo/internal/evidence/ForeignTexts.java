// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.evidence;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The texts of Dubbo 3.3.6, Netty and gateways by which a failure is recognised. A service can write each of them, so
 * they determine only the reason and never prove that a call has not run.
 */
final class ForeignTexts {

    /** Dubbo's client: the write did not end in time, and may still happen. */
    private static final Pattern LATE_WRITE = Pattern.compile("in timeout\\(\\d+ms\\) limit");

    private static final Pattern URL_PARAMETERS = Pattern.compile("(\\w://[^\\s?]+)\\?\\S*?(?=,? |$)");

    /** Dubbo's client: the connection was lost with the call in flight. */
    private static final Pattern INACTIVE = Pattern.compile("^Channel .* is inactive");

    /** {@code ObjectInput#readThrowable}: the class of the exception is missing here. */
    private static final String UNREADABLE_EXCEPTION = "java.io.IOException: Response data error, expect Throwable";

    /** {@code TripleClientCall}: the headers of the request were sent without a message. */
    private static final String UNWRITABLE_FOR_TRIPLE = "Serialize request failed";

    /** A class that Dubbo 3.2 does not have. */
    static final String DECODE_EXCEPTION = "org.apache.dubbo.remoting.http12.exception.DecodeException";

    /** Another one: the time of the call was over at the server. */
    static final String REQUEST_TIMEOUT = "org.apache.dubbo.remoting.http12.exception.HttpRequestTimeout";

    /** Netty, in a Triple status: the HTTP/2 connection failed. */
    private static final String HTTP2_FAILURE = "Http2 exception";

    /** Netty, in a Triple status: the peer refused the stream; HAProxy does when a provider closes the connection. */
    private static final Pattern REFUSED_STREAM = Pattern.compile("errorCode=7\\b");

    /** Dubbo's server: {@code GenericFilter} and the wrappers of {@code JavassistProxyFactory}. */
    private static final Pattern NO_METHOD = Pattern.compile(
            "^(?:org\\.apache\\.dubbo\\.rpc\\.RpcException: )?(?:No such method \\S+ in class|Failed to invoke remote proxy"
                    + " method .*, cause: Not found method \")");

    /** Dubbo's Triple server, in a status. */
    private static final Pattern NO_METHOD_BY_TRIPLE = Pattern.compile("^[Mm]ethod( not found)?:|^Method not found");

    /** Dubbo's Triple server 3.3 and 3.2, grpc-go and grpc-java, in a status: they do not have a decompressor. */
    private static final Pattern NO_ENCODING = Pattern.compile(
            "\\.DeCompressor by name \\w|^[Gg]rpc-encoding '\\S+' is not supported|^grpc-encoding '\\S+'$"
                    + "|Decompressor is not installed for grpc-encoding|^Can't find decompressor for ");

    /** {@code DescriptorUtils#findTripleMethodDescriptor} fails so if a service has no method of that name. */
    private static final String NO_METHOD_BY_ACCIDENT = "because \"methodDescriptors\" is null";

    private static final String CLASS_NOT_FOUND = "Caused by: " + ClassNotFoundException.class.getName() + ": ";

    /** Dubbo's server, in the stack trace of its answer. */
    private static final Pattern NO_CLASS = Pattern.compile(Pattern.quote(CLASS_NOT_FOUND) + "(\\S+)");

    /** Envoy's {@code dubbo_proxy}, among others for a connection that was lost with the call in flight. */
    private static final List<String> ERROR_OF_ENVOY = List.of("dubbo upstream request: ", "dubbo router: ");

    /** {@code AbstractTripleClientStream}: a response that is not gRPC. */
    private static final Pattern NO_GRPC = Pattern.compile("HTTP status: \\d+, invalid content-type: ");

    private static final Pattern PAGE = Pattern.compile("invalid content-type: (?:text/html|application/xhtml)");

    /** nginx and HAProxy by the status; Envoy by the text. */
    private static final Pattern GATEWAY_TIME_OUT =
            Pattern.compile("HTTP status: 504\\b|upstream (?:request timeout|max stream duration reached)");

    /** nginx and HAProxy by the status; Envoy by the text. */
    private static final Pattern UPSTREAM_RESET =
            Pattern.compile("HTTP status: 502\\b|upstream connect error|dubbo upstream request: |reset before headers");

    /** Any gateway that follows the wire contract and has lost the connection behind it. */
    private static final String CONNECTION_LOST = "HIGHWAY-CONNECTION-LOST:";

    private ForeignTexts() {}

    static boolean isLateWrite(String text) {
        return LATE_WRITE.matcher(text).find();
    }

    /** The size of the request and the limit, in the words of {@code ExceedPayloadLimitException}. */
    static String payloadSizes(String text) {
        return text.replaceFirst("^Data length too large: *", "").replaceFirst(", channel.*", "");
    }

    static boolean isInactiveChannel(String text) {
        return INACTIVE.matcher(text).find();
    }

    /** The text without the parameters of Dubbo's URLs, which take 600 characters. */
    static String withoutParameters(String text) {
        return URL_PARAMETERS.matcher(text).replaceAll("$1");
    }

    static boolean isUnreadableException(String text) {
        return text.startsWith(UNREADABLE_EXCEPTION);
    }

    static boolean isUnwritableForTriple(@Nullable String description) {
        return UNWRITABLE_FOR_TRIPLE.equals(description);
    }

    static boolean isHttp2Failure(String text) {
        return text.contains(HTTP2_FAILURE);
    }

    static boolean isRefusedStream(String text) {
        return REFUSED_STREAM.matcher(text).find();
    }

    static boolean isMissingMethod(String text) {
        return NO_METHOD.matcher(text).find();
    }

    static boolean isMissingMethodByTriple(String description) {
        return NO_METHOD_BY_TRIPLE.matcher(description).find();
    }

    static boolean isUnknownEncoding(String description) {
        return NO_ENCODING.matcher(description).find();
    }

    static boolean isMissingMethodByAccident(String description) {
        return description.contains(NO_METHOD_BY_ACCIDENT);
    }

    /** The class that the provider does not have, or null if the exception reports none. */
    static @Nullable String missingClass(Throwable answer) {
        Matcher type = answer.getCause() instanceof ClassNotFoundException e
                ? NO_CLASS.matcher(CLASS_NOT_FOUND + e.getMessage())
                : NO_CLASS.matcher(String.valueOf(answer.getMessage()));
        return type.find() ? type.group(1) : null;
    }

    static boolean isErrorOfEnvoy(String text) {
        return ERROR_OF_ENVOY.stream().anyMatch(text::startsWith);
    }

    static boolean isNoGrpc(String description) {
        return NO_GRPC.matcher(description).find();
    }

    /** What a gateway reported, in the text of a {@code gateway-error}. */
    static GatewayError gatewayError(String text) {
        if (GATEWAY_TIME_OUT.matcher(text).find()) { // before the page that nginx and HAProxy send with it
            return GatewayError.TIME_OUT;
        }
        if (UPSTREAM_RESET.matcher(text).find()) {
            return GatewayError.RESET;
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
