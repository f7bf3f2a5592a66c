// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.InternalHighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.network.compression.UnreadableAnswerException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.dubbo.common.serialize.SerializationException;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.TimeoutException;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The exceptions are created as in Dubbo 3.3.6; the comments name the places. */
class FailureClassifierTest {

    /** The evidence of a call to shanghai that has left. */
    private static AttemptEvidence evidence() {
        RpcInvocation call =
                new RpcInvocation((ServiceModel) null, "send", "com.foo.Sms", "", new Class<?>[0], new Object[0]);
        AttemptEvidence evidence = AttemptEvidence.begin(call, "shanghai", "com.foo.Sms", "send", null);
        evidence.passToInvoker();
        assertThat(evidence.sends(() -> false)).isTrue();
        return evidence;
    }

    /** The evidence after a frame with an error. */
    private static AttemptEvidence frame(int status, String message) {
        AttemptEvidence evidence = evidence();
        NotSentStatements.readError((byte) status, message, evidence);
        return evidence;
    }

    /** As {@code DubboInvoker.doInvoke} throws it. */
    private static RpcException unwritten(String message) {
        return unwritten(RpcException.NETWORK_EXCEPTION, new RemotingException((Channel) null, message));
    }

    private static RpcException unwritten(int code, RemotingException cause) {
        return new RpcException(
                code,
                "Failed to invoke remote method: send, provider: dubbo://gateway:20880/com.foo.Sms, cause: "
                        + cause.getMessage(),
                cause);
    }

    /** {@code DefaultFuture.doReceived}, then {@code AbstractInvoker.waitForResultIfSync}: an answer that is not OK. */
    private static RpcException answered(String message) {
        return answered(RpcException.NETWORK_EXCEPTION, new RemotingException((Channel) null, message));
    }

    private static RpcException answered(int code, Exception cause) {
        ExecutionException e = new ExecutionException(cause);
        return new RpcException(
                code,
                "Failed to invoke remote method: send, provider: dubbo://gateway:20880/com.foo.Sms, cause: "
                        + e.getMessage(),
                e);
    }

    private static RemotingException timeout(boolean serverSide) {
        return new TimeoutException(
                serverSide,
                (Channel) null,
                "Waiting server-side response timeout by scan timer. start time: .., timeout: 1000 ms");
    }

    /** A Triple call fails through its future, which a synchronous caller waits for. */
    private static Throwable triple(TriRpcStatus.Code code, String description) {
        return new RpcException(
                "Fail to invoke remote method: send, provider: tri://gateway:50051/com.foo.Sms",
                new ExecutionException(status(code, description)));
    }

    private static RpcException status(TriRpcStatus.Code code, String description) {
        return TriRpcStatus.fromCode(code).withDescription(description).asException();
    }

    /** {@code AbstractTripleClientStream.validateHeaderStatus}: a proxy answers with a page. */
    private static Throwable page(int httpStatus) {
        return triple(
                TriRpcStatus.httpStatusToGrpcCode(httpStatus),
                "HTTP status: " + httpStatus + ", invalid content-type: text/html");
    }

    private static Arguments notSent(String situation, Throwable thrown, Reason reason) {
        return Arguments.of(situation, thrown, evidence(), reason, false);
    }

    private static Arguments notSent(String situation, int status, String message, Reason reason) {
        return Arguments.of(situation, answered(message), frame(status, message), reason, false);
    }

    private static Arguments maybe(String situation, Throwable thrown, Reason reason) {
        return Arguments.of(situation, thrown, evidence(), reason, true);
    }

    private static Arguments maybe(String situation, int status, String message, Reason reason) {
        return Arguments.of(situation, answered(message), frame(status, message), reason, true);
    }

    static Stream<Arguments> dubbo() {
        return Stream.of(
                notSent(
                        "Envoy: no route",
                        60,
                        "dubbo router: no route for interface 'com.foo.Sms'",
                        Reason.NOT_FORWARDED),
                notSent(
                        "Envoy: nobody healthy",
                        80,
                        "dubbo router: no healthy upstream for 'shanghai'",
                        Reason.NOT_FORWARDED),
                notSent("Envoy: unknown cluster", 80, "dubbo router: unknown cluster 'shanghai'", Reason.NOT_FORWARDED),
                notSent(
                        "Envoy: switched off",
                        80,
                        "dubbo router: maintenance mode for cluster 'shanghai'",
                        Reason.NOT_FORWARDED),
                notSent(
                        "Envoy: circuit breaker",
                        80,
                        "dubbo upstream request: too many connections",
                        Reason.NOT_FORWARDED),
                notSent(
                        "Envoy: connect timeout",
                        80,
                        "dubbo upstream request: connection failure '10.0.0.1:20880' due to timeout",
                        Reason.NOT_FORWARDED),
                maybe(
                        "Envoy's words with the status of a service's error",
                        70,
                        "dubbo router: no route for interface 'com.foo.Sms'",
                        Reason.GATEWAY_ERROR),
                maybe(
                        "Envoy: refused, or lost with the call in flight",
                        80,
                        "dubbo upstream request: remote connection failure '10.0.0.1:20880'",
                        Reason.GATEWAY_ERROR),
                maybe("Envoy: whatever else", 80, "dubbo router: something new", Reason.GATEWAY_ERROR),
                maybe(
                        "a filter throws what Dubbo's own connections throw",
                        unwritten("message can not send, because channel is closed . url:dubbo://gateway:20880"),
                        Reason.REMOTE_FAILURE),
                notSent(
                        "not connected (GatewayInvoker)",
                        new NotWrittenException(Reason.GATEWAY_DOWN, "not connected"),
                        Reason.GATEWAY_DOWN),
                notSent(
                        "request cannot be serialised (GatewayInvoker)",
                        new NotWrittenException(Reason.SERIALIZATION, "not serialisable", new IOException("no")),
                        Reason.SERIALIZATION),
                maybe(
                        "another process says so",
                        answered(RpcException.NETWORK_EXCEPTION, new NotWrittenException(Reason.GATEWAY_DOWN, "no")),
                        Reason.REMOTE_FAILURE),
                maybe(
                        "no provider left, somebody says",
                        new RpcException(
                                RpcException.NO_INVOKER_AVAILABLE_AFTER_FILTER,
                                "Failed to invoke the method send in the service com.foo.Sms. No provider available"),
                        Reason.GATEWAY_DOWN),
                maybe(
                        "invoker destroyed, somebody says",
                        new RpcException("This invoker has been destroyed!"),
                        Reason.REMOTE_FAILURE),
                maybe("no answer in time", answered(RpcException.TIMEOUT_EXCEPTION, timeout(true)), Reason.TIMEOUT),
                maybe("written too late", answered(RpcException.TIMEOUT_EXCEPTION, timeout(false)), Reason.TIMEOUT),
                maybe(
                        "timeout while writing",
                        unwritten(RpcException.TIMEOUT_EXCEPTION, timeout(false)),
                        Reason.TIMEOUT),
                maybe(
                        "waiting ended first",
                        new RpcException(
                                RpcException.TIMEOUT_EXCEPTION,
                                "Invoke remote method timeout. method: send",
                                new java.util.concurrent.TimeoutException()),
                        Reason.TIMEOUT),
                maybe(
                        "connection lost while waiting",
                        answered(RpcException.NETWORK_EXCEPTION, new LostConnectionException("gateway:20880")),
                        Reason.CONNECTION_LOST),
                maybe(
                        "thread pool of the provider exhausted",
                        answered("Server side(10.0.0.1,20880) thread pool is exhausted, detail msg: .."),
                        Reason.REMOTE_FAILURE),
                maybe(
                        "answer cannot be read",
                        answered(RpcException.UNKNOWN_EXCEPTION, new UnreadableAnswerException("unknown class")),
                        Reason.SERIALIZATION),
                maybe(
                        "no memory within the budget to read the answer",
                        answered(RpcException.UNKNOWN_EXCEPTION, UnreadableAnswerException.withoutMemory("full")),
                        Reason.BUSY),
                maybe(
                        "no heap to read the answer",
                        answered(
                                RpcException.UNKNOWN_EXCEPTION,
                                new UnreadableAnswerException("full", new OutOfMemoryError())),
                        Reason.BUSY),
                maybe(
                        "no heap to read a Triple answer",
                        TriRpcStatus.INTERNAL.withCause(new OutOfMemoryError()).asException(),
                        Reason.BUSY),
                maybe(
                        "answer cannot be written there",
                        answered(RpcException.SERIALIZATION_EXCEPTION, new SerializationException("unknown class")),
                        Reason.SERIALIZATION),
                maybe(
                        "interrupted while waiting",
                        new RpcException(
                                "Interrupted unexpectedly while waiting for remote result to return!",
                                new InterruptedException()),
                        Reason.REMOTE_FAILURE),
                notSent(
                        "no such service there",
                        70,
                        "org.apache.dubbo.remoting.RemotingException: Not found exported service:"
                                + " com.foo.Sms:20880 in [com.foo.Mms:20880], may be version or group mismatch",
                        Reason.NO_SUCH_SERVICE),
                maybe(
                        "the same behind another exception's name",
                        70,
                        "java.lang.IllegalStateException: org.apache.dubbo.remoting.RemotingException: Not found"
                                + " exported service: com.foo.Sms:20880",
                        Reason.REMOTE_FAILURE),
                notSent(
                        "no such service there, which takes arguments",
                        40,
                        "Fail to decode request due to: RpcInvocation [methodName=send, parameterTypes=null]",
                        Reason.NO_SUCH_SERVICE),
                notSent(
                        "a class is missing there",
                        40,
                        "Fail to decode request due to: java.io.IOException: Read invocation data failed",
                        Reason.SERIALIZATION),
                maybe(
                        "the provider lost a connection of its own",
                        40,
                        "java.io.IOException: Connection reset by peer",
                        Reason.REMOTE_FAILURE),
                maybe(
                        "the provider writes as Dubbo does for a write that failed here",
                        40,
                        "io.netty.channel.StacklessClosedChannelException",
                        Reason.REMOTE_FAILURE),
                maybe(
                        "an old marker",
                        40,
                        "HIGHWAY-NOT-WRITTEN:java.io.IOException: Broken pipe",
                        Reason.REMOTE_FAILURE),
                notSent(
                        "gateway did not forward",
                        70,
                        "HIGHWAY-NOT-FORWARDED: shanghai;no-provider com.foo.Sms",
                        Reason.NOT_FORWARDED),
                maybe(
                        "gateway did not forward, without an island",
                        70,
                        "HIGHWAY-NOT-FORWARDED:unknown-island atlantis",
                        Reason.REMOTE_FAILURE),
                maybe(
                        "another call was not forwarded",
                        70,
                        "HIGHWAY-NOT-FORWARDED: beijing;no-provider com.foo.Sms",
                        Reason.REMOTE_FAILURE),
                maybe(
                        "the right words with another status",
                        80,
                        "HIGHWAY-NOT-FORWARDED: shanghai;no-provider com.foo.Sms",
                        Reason.REMOTE_FAILURE),
                maybe(
                        "the right words behind an exception's name",
                        70,
                        "java.lang.IllegalStateException: HIGHWAY-NOT-FORWARDED: shanghai;no-provider",
                        Reason.REMOTE_FAILURE),
                maybe(
                        "gateway lost its connection",
                        answered("HIGHWAY-CONNECTION-LOST:gateway.shanghai.test:20880"),
                        Reason.CONNECTION_LOST));
    }

    static Stream<Arguments> triple() {
        String envoy = "upstream connect error or disconnect/reset before headers. reset reason: connection failure";
        return Stream.of(
                maybe(
                        "the words of TripleInvoker for no connection",
                        triple(TriRpcStatus.Code.UNAVAILABLE, "upstream gateway:50051 is unavailable"),
                        Reason.GATEWAY_ERROR),
                notSent(
                        "request over the limit (GatewayInvoker)",
                        new NotWrittenException(Reason.TOO_LARGE, "70016 bytes, and max-request-size is 65536"),
                        Reason.TOO_LARGE),
                maybe(
                        "connection lost",
                        triple(TriRpcStatus.Code.CANCELLED, "Canceled by remote"),
                        Reason.CONNECTION_LOST),
                maybe(
                        "a later message of a stream is not serialised (StreamCall)",
                        TriRpcStatus.INTERNAL
                                .withCause(new NotWrittenException(Reason.SERIALIZATION, "no codec"))
                                .asException(),
                        Reason.SERIALIZATION),
                maybe(
                        "the provider could not serialise a request of its own",
                        triple(TriRpcStatus.Code.INTERNAL, "Serialize request failed"),
                        Reason.REMOTE_FAILURE),
                maybe("internal error", triple(TriRpcStatus.Code.INTERNAL, "Decode failed"), Reason.REMOTE_FAILURE),
                maybe("no answer in time", triple(TriRpcStatus.Code.DEADLINE_EXCEEDED, "Waiting"), Reason.TIMEOUT),
                maybe(
                        "no such service there",
                        triple(TriRpcStatus.Code.UNIMPLEMENTED, "Service not found:com.foo.Sms"),
                        Reason.NO_SUCH_SERVICE),
                maybe(
                        "no such method there",
                        triple(TriRpcStatus.Code.UNIMPLEMENTED, "Method not found:send"),
                        Reason.NO_SUCH_METHOD),
                maybe(
                        "no such method there, as Dubbo 3.3.6 fails on it",
                        triple(
                                TriRpcStatus.Code.UNKNOWN,
                                "Cannot invoke \"java.util.List.iterator()\" because \"methodDescriptors\" is null"),
                        Reason.NO_SUCH_METHOD),
                maybe("not found there", triple(TriRpcStatus.Code.NOT_FOUND, "com.foo.Sms"), Reason.NO_SUCH_SERVICE),
                maybe(
                        "the service says that it does not do this",
                        triple(TriRpcStatus.Code.UNIMPLEMENTED, "not for this customer"),
                        Reason.NO_SUCH_SERVICE),
                maybe(
                        "the service's own connection is down",
                        triple(TriRpcStatus.Code.UNAVAILABLE, "upstream bank:50051 is unavailable"),
                        Reason.GATEWAY_ERROR),
                maybe(
                        "the service repeats what its gateway said",
                        triple(TriRpcStatus.Code.UNKNOWN, "failed after booking: HIGHWAY-NOT-FORWARDED:no-island"),
                        Reason.REMOTE_FAILURE),
                maybe(
                        "gateway did not forward, in the status",
                        triple(TriRpcStatus.Code.UNAVAILABLE, "HIGHWAY-NOT-FORWARDED:no-provider com.foo.Sms"),
                        Reason.GATEWAY_ERROR),
                maybe(
                        "gateway lost its connection",
                        triple(TriRpcStatus.Code.UNAVAILABLE, "HIGHWAY-CONNECTION-LOST:gateway.shanghai.test:50051"),
                        Reason.CONNECTION_LOST),
                maybe(
                        "guard refused",
                        triple(TriRpcStatus.Code.PERMISSION_DENIED, "HIGHWAY-REFUSED:unsigned; see highway.sign"),
                        Reason.REMOTE_FAILURE),
                maybe("failure there", triple(TriRpcStatus.Code.UNKNOWN, "boom"), Reason.REMOTE_FAILURE),
                maybe("limit there", triple(TriRpcStatus.Code.RESOURCE_EXHAUSTED, "busy"), Reason.REMOTE_FAILURE),
                maybe("status without a word", triple(TriRpcStatus.Code.UNKNOWN, null), Reason.REMOTE_FAILURE),
                maybe(
                        "Envoy cannot reach the destination",
                        triple(TriRpcStatus.Code.UNAVAILABLE, envoy),
                        Reason.GATEWAY_ERROR),
                maybe(
                        "Envoy loses the destination",
                        triple(
                                TriRpcStatus.Code.UNAVAILABLE,
                                "upstream connect error or disconnect/reset before headers."
                                        + " reset reason: connection termination"),
                        Reason.GATEWAY_ERROR),
                maybe(
                        "Envoy has no healthy upstream",
                        triple(TriRpcStatus.Code.UNAVAILABLE, "no healthy upstream"),
                        Reason.GATEWAY_ERROR),
                maybe("Envoy has no route", triple(TriRpcStatus.Code.UNIMPLEMENTED, ""), Reason.NO_SUCH_SERVICE),
                maybe("nginx, bad gateway", page(502), Reason.GATEWAY_ERROR),
                maybe("nginx, unavailable", page(503), Reason.GATEWAY_ERROR),
                maybe("nginx, no answer in time", page(504), Reason.GATEWAY_ERROR),
                maybe("nginx, forbidden", page(403), Reason.GATEWAY_ERROR),
                maybe("the words for nginx without a route", page(404), Reason.NO_SUCH_SERVICE));
    }

    /** The failures of futures of asynchronous calls, and those in answers. */
    static Stream<Arguments> futures() {
        return Stream.of(
                maybe("no answer in time", new CompletionException(timeout(true)), Reason.TIMEOUT),
                maybe(
                        "connection lost",
                        new CompletionException(new LostConnectionException("gateway:20880")),
                        Reason.CONNECTION_LOST),
                maybe(
                        "answer cannot be read",
                        new CompletionException(new SerializationException("unknown class")),
                        Reason.SERIALIZATION),
                maybe(
                        "answer over Dubbo's payload",
                        new CompletionException(new SerializationException("Data length too large: 9437184")),
                        Reason.SERIALIZATION),
                maybe("an answer of any kind", new RemotingException((Channel) null, "boom"), Reason.REMOTE_FAILURE),
                maybe(
                        "the service's own call found no provider",
                        new RpcException(RpcException.NO_INVOKER_AVAILABLE_AFTER_FILTER, "No provider available"),
                        Reason.REMOTE_FAILURE),
                maybe(
                        "the service speaks like a server",
                        new RpcException("Service not found in my catalogue"),
                        Reason.REMOTE_FAILURE),
                maybe(
                        "the service speaks like a gateway",
                        new RpcException(RpcException.NETWORK_EXCEPTION, "HIGHWAY-NOT-FORWARDED:draining"),
                        Reason.REMOTE_FAILURE),
                maybe(
                        "the service speaks like a server, over triple",
                        status(TriRpcStatus.Code.UNKNOWN, "Service not found in my catalogue"),
                        Reason.REMOTE_FAILURE),
                maybe(
                        "a generic call of a method that is not there",
                        new RpcException("No such method send in class interface com.foo.Sms"),
                        Reason.NO_SUCH_METHOD),
                maybe(
                        "a generic call with a class that is not there",
                        new RpcException("com.foo.Text", new ClassNotFoundException("com.foo.Text")),
                        Reason.SERIALIZATION),
                maybe(
                        "the service's own call timed out",
                        new RpcException(RpcException.TIMEOUT_EXCEPTION, "Invoke remote method timeout"),
                        Reason.REMOTE_FAILURE),
                maybe(
                        "gateway did not forward, without an island",
                        new CompletionException(
                                new RemotingException((Channel) null, "HIGHWAY-NOT-FORWARDED:draining")),
                        Reason.REMOTE_FAILURE),
                maybe(
                        "the service speaks like the guard",
                        new RpcException(
                                RpcException.FORBIDDEN_EXCEPTION, "HIGHWAY-REFUSED:wrong-island; this is beijing"),
                        Reason.REMOTE_FAILURE));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("futures")
    void classifiesFailedAnswers(
            String situation, Throwable answer, AttemptEvidence evidence, Reason reason, boolean mayHaveRun) {
        Failure failure = FailureClassifier.answered(answer, evidence);

        assertThat(failure.reason()).isEqualTo(reason);
        assertThat(failure.mayHaveRun()).isEqualTo(mayHaveRun);
    }

    @Test
    void takesAnExceptionFromElsewhereForAFailureThere() throws Exception {
        HighwayException there = InternalHighwayException.create(
                "com.foo.Sms#send",
                Reason.GATEWAY_DOWN,
                Intent.NONE,
                "beijing",
                false,
                "decided",
                "what",
                "advice",
                null);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(there);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            HighwayException received = (HighwayException) in.readObject();

            Failure failure = FailureClassifier.answered(received, evidence());

            assertThat(failure.reason()).isEqualTo(Reason.REMOTE_FAILURE);
            assertThat(failure.mayHaveRun()).isTrue();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"dubbo", "triple"})
    void classifiesExceptions_andWhetherTheCallMayHaveRun(
            String situation, Throwable thrown, AttemptEvidence evidence, Reason reason, boolean mayHaveRun) {
        Failure failure = FailureClassifier.thrown(thrown, evidence);

        assertThat(failure.reason()).isEqualTo(reason);
        assertThat(failure.mayHaveRun()).isEqualTo(mayHaveRun);
        assertThat(failure.what()).isNotBlank().doesNotContain("\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HIGHWAY-NOT-FORWARDED: shanghai;no-route | the gateway did not forward: no-route",
                "HIGHWAY-CONNECTION-LOST:gw:20880         | a gateway lost its connection: gw:20880"
            })
    void repeatsTheReasonThatAGatewayGives_upToTheEndOfItsLine(String message, String what) {
        String lines = message + "\n\tat io.highway.Gateway";

        Failure failure = FailureClassifier.thrown(answered(lines), frame(70, lines));

        assertThat(failure.what()).isEqualTo(what);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shanghai;unsigned", "shanghai;unsigned; about com.foo.Sms#send"})
    void believesARefusalOfThisCall(String attachment) {
        Failure failure = FailureClassifier.answered(
                new RpcException(RpcException.FORBIDDEN_EXCEPTION, "no"), refusal(attachment));

        assertThat(failure).isEqualTo(Failure.refused(Reason.REFUSED_THERE, Failure.Place.ISLAND, "unsigned"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"beijing;unsigned", "unsigned", "shanghai", "shanghai;unsigned; about com.foo.Mms#send"})
    void believesNoRefusalOfAnotherCall(String attachment) {
        Failure failure = FailureClassifier.answered(
                new RpcException(RpcException.FORBIDDEN_EXCEPTION, "no"), refusal(attachment));

        assertThat(failure.mayHaveRun()).isTrue();
    }

    private static AttemptEvidence refusal(String attachment) {
        AppResponse response = new AppResponse(new RpcException(RpcException.FORBIDDEN_EXCEPTION, "no"));
        response.setAttachment("highway-refused", attachment);
        AttemptEvidence evidence = evidence();
        NotSentStatements.read(response, evidence);
        return evidence;
    }

    @Test
    void namesTripleStatus() {
        assertThat(FailureClassifier.thrown(triple(TriRpcStatus.Code.UNKNOWN, "boom"), evidence())
                        .what())
                .isEqualTo("triple answered UNKNOWN : boom");
    }

    @ParameterizedTest
    @EnumSource
    void keepsWhatIsKnown(Reason reason) {
        HighwayException known = exception(reason, true);

        Failure failure = FailureClassifier.answered(new CompletionException(known), evidence());

        assertThat(failure).isEqualTo(Failure.maybeRun(reason, known.getMessage()));
    }

    @Test
    void takesAnythingElseForAFailureThere() {
        assertThat(FailureClassifier.thrown(new IllegalStateException("broken"), evidence()))
                .extracting(Failure::reason, Failure::mayHaveRun)
                .containsExactly(Reason.REMOTE_FAILURE, true);
        assertThat(FailureClassifier.thrown(new RpcException((String) null), evidence()))
                .extracting(Failure::reason, Failure::mayHaveRun)
                .containsExactly(Reason.REMOTE_FAILURE, true);
    }

    @ParameterizedTest
    @EnumSource
    void showsAsTheExceptionThatDubboUsersKnow(Reason reason) {
        RpcException shown = exception(reason, false);

        assertThat(shown.isTimeout()).isEqualTo(reason == Reason.TIMEOUT);
        assertThat(shown.isSerialization()).isEqualTo(reason == Reason.SERIALIZATION);
        assertThat(shown.isBiz()).isFalse();
        assertThat(shown)
                .hasMessage("com.foo.Sms#send asked for home (no island requested); decided: decided; " + reason
                        + ": what (it has not run). advice. Runbook: operations.md#" + reason);
    }

    @Test
    void leadsToTheGuardsWord_ofACallThatIsRefusedThere() {
        Failure denied = Failure.refused(Reason.REFUSED_THERE, Failure.Place.ISLAND, "denied; by a rule");

        assertThat(exception(denied.reason(), denied.what(), false))
                .hasMessageEndingWith(" Runbook: operations.md#guard-denied");
        assertThat(exception(
                        Reason.REMOTE_FAILURE,
                        "a call of the service itself failed: " + exception(denied.reason(), denied.what(), false),
                        true))
                .hasMessageEndingWith(" Runbook: operations.md#remote-failure");
    }

    private static HighwayException exception(Reason reason, boolean mayHaveRun) {
        return exception(reason, "what", mayHaveRun);
    }

    private static HighwayException exception(Reason reason, String what, boolean mayHaveRun) {
        return InternalHighwayException.create(
                "com.foo.Sms#send", reason, Intent.NONE, "shanghai", mayHaveRun, "decided", what, "advice", null);
    }

    /** It goes into log lines. */
    @Test
    void hasOneLine_whateverThePeerWrites() {
        Throwable answer = status(TriRpcStatus.Code.UNAVAILABLE, "no\n2026-11-28 ERROR gone\u001b[2J");

        assertThat(FailureClassifier.answered(answer, null).what())
                .contains("no 2026-11-28 ERROR gone [2J")
                .doesNotContainPattern("\\p{Cntrl}");
    }

    /** Seen in a storm: a Triple server of Dubbo 3.3 answers so when an asynchronous call is late there. */
    @Test
    void mayHaveRun_whatWasLateAtTheServer() throws ReflectiveOperationException {
        Class<?> type;
        try {
            type = Class.forName(PeerErrorTexts.REQUEST_TIMEOUT);
        } catch (ClassNotFoundException e) {
            return; // Dubbo 3.2 has no such class
        }
        Throwable late = (Throwable) type.getMethod("serverSide").invoke(null);

        assertThat(FailureClassifier.isOfTheServer(late)).isTrue();
        assertThat(FailureClassifier.answered(late, null)).satisfies(failure -> {
            assertThat(failure.reason()).isEqualTo(Reason.TIMEOUT);
            assertThat(failure.mayHaveRun()).isTrue();
        });
    }
}
