// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import io.highway.sdk.dubbo.internal.evidence.FailureClassifier;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import java.util.Map;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FailureAdviceTest {

    private static final String WINDOW = "dubbo.protocol.triple.connection-initial-window-size=65535";

    private static final RouteDecision.Tunnel SHANGHAI = decision("none");

    private static RouteDecision.Tunnel decision(String fallback) {
        Map<String, String> keys = Map.of(
                "highway.island", "zhejiang",
                "highway.gateways.triple", "gateway.zhejiang.test:1",
                "highway.islands.shanghai.fallback", fallback);
        IslandPolicy island = PolicyParser.parse(RawSettings.of(keys, "test"), "7", null)
                .orElseThrow()
                .forIsland("shanghai");
        return new RouteDecision.Tunnel(island.routes().tunnels(), island, false, 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"GATEWAY_DOWN", "BREAKER_OPEN", "NO_SUCH_SERVICE"})
    void namesHome_asTheFallbackIs(Reason reason) {
        assertThat(FailureAdvice.on(reason, SHANGHAI)).endsWith("write highway.islands.shanghai.fallback=home.");
        assertThat(FailureAdvice.on(reason, decision("home")))
                .endsWith("Meanwhile home serves it if it has a provider (fallback=home).");
    }

    /** As {@code AbstractTripleClientStream} puts it. */
    private static Failure cancelledByPeer(int errorCode) {
        return FailureClassifier.answered(
                TriRpcStatus.CANCELLED
                        .withDescription("Canceled by remote peer, errorCode=" + errorCode)
                        .asException(),
                null);
    }

    @Test
    void namesTheWindow_ifAPeerRefusedTheStream_whichMayHaveRun() {
        Failure refused = cancelledByPeer(7);

        assertThat(refused.mayHaveRun()).isTrue();
        assertThat(refused.reason()).isEqualTo(Reason.CONNECTION_LOST);
        assertThat(FailureAdvice.on(refused, SHANGHAI, new RpcException())).contains(WINDOW, "before shanghai");
    }

    @ParameterizedTest
    @CsvSource({"8", "2", "77"})
    void sendsToTheLogs_ifAPeerCancelledForAnotherCause(int errorCode) {
        assertThat(FailureAdvice.on(cancelledByPeer(errorCode), SHANGHAI, new RpcException()))
                .contains("logs of the gateways between here and shanghai")
                .doesNotContain(WINDOW);
    }

    @Test
    void namesTheWindow_ifAGatewayAnsweredWithAnError() {
        Failure failure = Failure.maybeRun(Reason.GATEWAY_ERROR, "HTTP status: 503");

        assertThat(FailureAdvice.on(failure, SHANGHAI, new RpcException())).contains(WINDOW);
    }

    /** As {@code AbstractTripleClientStream} reads them, and Envoy's {@code dubbo_proxy}. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HTTP status: 503, invalid content-type: text/html | A page came instead of gRPC",
                "HTTP status: 200, invalid content-type: text/html; charset=utf-8 | A page came instead of gRPC",
                "HTTP status: 504, invalid content-type: text/html | time limit",
                "upstream request timeout | time limit",
                "HTTP status: 503, invalid content-type: null | has no server for the call, or limits calls",
                "no healthy upstream | has no server for the call, or limits calls",
                "'' | has no server for the call, or limits calls",
                "'' | " + WINDOW,
                "HTTP status: 502, invalid content-type: text/html | " + WINDOW,
                "upstream connect error or disconnect/reset before headers. reset reason: connection failure | "
                        + WINDOW,
            })
    void saysWhatToLookAt_byWhatAGatewayAnswered(String words, String advice) {
        Failure answered = FailureClassifier.answered(
                (words.isEmpty() ? TriRpcStatus.UNAVAILABLE : TriRpcStatus.UNAVAILABLE.withDescription(words))
                        .asException(),
                null);

        assertThat(answered.mayHaveRun()).isTrue();
        assertThat(answered.reason()).isEqualTo(Reason.GATEWAY_ERROR);
        assertThat(FailureAdvice.on(answered, SHANGHAI, new IllegalStateException()))
                .contains(advice)
                .satisfies(text -> assertThat(advice.equals(WINDOW) || advice.contains("has no server"))
                        .isEqualTo(text.contains(WINDOW)));
    }

    /** The receiver is at a port of its own; at Triple's port and at a web server it is unknown. */
    @Test
    void namesThePortFirst_ifNothingTakesCallsOverHttp() {
        Failure answered = FailureClassifier.answered(
                new RemotingException((Channel) null, "HTTP 404 Not Found text/plain"), null);

        assertThat(answered.reason()).isEqualTo(Reason.GATEWAY_ERROR);
        assertThat(FailureAdvice.on(answered, SHANGHAI, new IllegalStateException()))
                .isEqualTo("Correct the route of the gateway before shanghai: calls over HTTP/1.1 go to the"
                        + " highway.http.port of its providers.");
    }

    @ParameterizedTest
    @CsvSource({"200, UNKNOWN", "302, UNKNOWN", "401, UNAUTHENTICATED", "403, PERMISSION_DENIED", "500, UNKNOWN"})
    void aPageOfAnyStatus_isNoFailureOfTheService(int status, TriRpcStatus.Code code) {
        assertThat(TriRpcStatus.httpStatusToGrpcCode(status)).isEqualTo(code);
        Failure answered = FailureClassifier.answered(
                TriRpcStatus.fromCode(code)
                        .withDescription("HTTP status: " + status + ", invalid content-type: text/html\nData:<html>")
                        .asException(),
                null);

        assertThat(answered.reason()).isEqualTo(Reason.GATEWAY_ERROR);
        assertThat(answered.what()).doesNotContain("<html>");
        assertThat(FailureAdvice.on(answered, SHANGHAI, new IllegalStateException()))
                .contains("A page came instead of gRPC");
    }

    @Test
    void namesTheOptionOfTheJvm_whereHessianMayNotReadAClassOfTheJdk() {
        RpcException thrown = new RpcException(
                "failed",
                new IllegalStateException("Unable to make field private final byte[] java.lang.String.value accessible:"
                        + " module java.base does not \"opens java.lang\" to unnamed module @1b28cdfa"));

        assertThat(FailureAdvice.on(Failure.maybeRun(Reason.SERIALIZATION, "what"), SHANGHAI, thrown))
                .contains("--add-opens java.base/java.lang=ALL-UNNAMED");
    }

    @Test
    void namesTheStream_ifARequestIsTooLarge() {
        assertThat(FailureAdvice.on(Reason.TOO_LARGE, SHANGHAI))
                .contains(
                        "client streaming over triple", "samples/upload", "highway.islands.shanghai.max-request-size");
    }

    @Test
    void namesTheLimitOfTheClass_thatDidNotAdmitACall() {
        assertThat(FailureAdvice.onBusy("shanghai", TrafficClass.BULK))
                .contains("highway.islands.shanghai.bulk.max-concurrent", "highway.islands.shanghai.bulk.max-wait");
        assertThat(FailureAdvice.onBusy("shanghai", TrafficClass.INTERACTIVE))
                .contains("highway.islands.shanghai.max-concurrent")
                .doesNotContain("bulk");
    }

    @ParameterizedTest
    @EnumSource
    void hasAdviceForEveryReason(Reason reason) {
        assertThat(FailureAdvice.on(reason, SHANGHAI)).isNotBlank().endsWith(".");
    }
}
