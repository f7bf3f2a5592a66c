// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.Caller;
import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.HighwayContext;
import io.highway.sdk.InternalContexts;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.InternalHighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.call.InboundRouteHeaders;
import io.highway.sdk.dubbo.internal.provider.server.RefusalStatement;
import io.highway.sdk.dubbo.internal.signature.OutboundRouteHeaders;
import io.highway.tools.fixtures.logs.CapturedLog;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProviderGuardTest {

    private static FrameworkModel framework;
    private static ProviderGuard shanghai;
    private static ProviderGuard off;
    private static ProviderGuard signed;

    private final Service service = new Service();

    @BeforeAll
    static void start() {
        framework = new FrameworkModel();
        shanghai = guard(Map.of("highway.island", "shanghai"));
        off = guard(Map.of());
        signed = guard(Map.of("highway.island", "shanghai", "highway.sign.accept.zhejiang-2026", "s3cr3t"));
    }

    @AfterAll
    static void stop() {
        framework.destroy();
    }

    @AfterEach
    void nothingIsLeftOnTheThread() {
        assertThat(Highway.caller()).isEmpty();
        assertThat(InternalContexts.hops(HighwayContext.capture())).isZero();
        assertThat(HighwayContext.capture().route()).isNull();
        RpcContext.removeContext();
    }

    private static ProviderGuard guard(Map<String, String> keys) {
        return ProviderGuard.of(application(keys));
    }

    private static HighwayRuntime runtime(Map<String, String> keys) {
        return HighwayRuntime.of(application(keys));
    }

    private static ApplicationModel application(Map<String, String> keys) {
        ApplicationModel application = framework.newApplication();
        application.modelEnvironment().updateAppConfigMap(keys);
        return application;
    }

    /** The code behind the guard; it notes what it sees. */
    private static class Service implements Invoker<Object> {

        private Invocation received;
        private Optional<Caller> caller;
        private int hops;
        private RuntimeException failure;

        @Override
        public Result invoke(Invocation invocation) {
            received = invocation;
            caller = Highway.caller();
            hops = InternalContexts.hops(HighwayContext.capture());
            if (failure != null) {
                throw failure;
            }
            return AsyncRpcResult.newDefaultAsyncResult(new AppResponse("done"), invocation);
        }

        @Override
        public Class<Object> getInterface() {
            return Object.class;
        }

        @Override
        public URL getUrl() {
            return URL.valueOf("dubbo://127.0.0.1:20880/com.foo.Sms");
        }

        @Override
        public boolean isAvailable() {
            return true;
        }

        @Override
        public void destroy() {
            // nothing to release
        }
    }

    private static RpcInvocation send() {
        return new RpcInvocation((ServiceModel) null, "send", "com.foo.Sms", "", new Class<?>[0], new Object[0]);
    }

    /** As after {@code ContextFilter}: the attachments are on the call and in the context. */
    private static RpcInvocation arrived(String island, String from, String sign) {
        Map<String, String> attachments = new HashMap<>();
        attachments.put("traceparent", "00-1-2-01");
        put(attachments, HighwayAttachments.ISLAND, island);
        put(attachments, HighwayAttachments.FROM, from);
        put(attachments, HighwayAttachments.SIGN, sign);
        RpcInvocation invocation = send();
        attachments.forEach(invocation::setAttachment);
        RpcContext.getServerAttachment().setObjectAttachments(new HashMap<>(attachments));
        return invocation;
    }

    private static void put(Map<String, String> attachments, String key, String value) {
        if (value != null) {
            attachments.put(key, value);
        }
    }

    private static Object value(Result result) {
        assertThat(result.getException()).isNull();
        return result.getValue();
    }

    private static void assertRefused(Result result, String message) {
        assertThat(result.getException())
                .isInstanceOfSatisfying(
                        RpcException.class, e -> assertThat(e.isForbidden()).isTrue())
                .hasMessage(message);
        assertThat(result.getException().getStackTrace())
                .as("what crosses the link")
                .isEmpty();
    }

    @Test
    void leavesCallsFromHomeAlone() {
        RpcInvocation invocation = arrived(null, null, null);

        Result result = shanghai.serve(service, invocation);

        assertThat(value(result)).isEqualTo("done");
        assertThat(service.received).isSameAs(invocation);
        assertThat(service.caller).isEmpty();
        assertThat(service.hops).isZero();
        assertThat(invocation.getObjectAttachments()).containsOnlyKeys("traceparent");
    }

    @Test
    void recordsTheCallerInside_andForgetsItAfter() {
        Result result = shanghai.serve(service, arrived("shanghai", "zhejiang/shop/2", null));

        assertThat(value(result)).isEqualTo("done");
        assertThat(service.caller).contains(Caller.of("zhejiang", "shop"));
        assertThat(service.hops).isEqualTo(2);
        assertThat(Highway.caller()).isEmpty();
    }

    @Test
    void warnsOnce_whenAGatewaySendsCallsAgain() {
        try (CapturedLog log = new CapturedLog()) {
            ProviderGuard guard = guard(Map.of("highway.island", "shanghai"));
            for (String attempts : new String[] {"1", "", "two", "2", "3"}) {
                RpcContext.getServiceContext().setRemoteAddress(new InetSocketAddress("10.1.2.3", 4711));
                RpcInvocation call = arrived("shanghai", "zhejiang/shop/1", null);
                call.setAttachment("x-envoy-attempt-count", attempts);

                assertThat(value(guard.serve(service, call))).isEqualTo("done");
            }
            assertThat(log.ofSdk("sends calls again"))
                    .singleElement()
                    .asString()
                    .contains(
                            "WARN",
                            "the gateway 10.1.2.3 ",
                            "x-envoy-attempt-count is 2",
                            "retry_policy",
                            "attempts: 0");
        }
    }

    @Test
    void forgetsTheCaller_whenTheServiceThrows() {
        service.failure = new IllegalStateException("broken");

        assertThatThrownBy(() -> shanghai.serve(service, arrived("shanghai", "zhejiang/shop/1", null)))
                .isSameAs(service.failure);
        assertThat(service.caller).isPresent();
        assertThat(Highway.caller()).isEmpty();
    }

    @Test
    void throwsAPlainException_whenAFilterBehindItThrowsOneOfTheSdk() {
        service.failure = InternalHighwayException.create(
                "com.foo.Sms#send", Reason.DENIED, Intent.NONE, "beijing", false, "refused", "denied", "Ask", null);

        for (String island : new String[] {"shanghai", null}) {
            assertThatThrownBy(() -> shanghai.serve(service, arrived(island, null, null)))
                    .isExactlyInstanceOf(RpcException.class)
                    .hasMessage(service.failure.getMessage());
        }
    }

    @Test
    void stripsEveryHighwayKey_fromCallAndContext_andNothingElse() {
        RpcInvocation invocation = arrived("shanghai", "zhejiang/shop/1", "v1;kid=a;ts=1;sig=b");
        invocation.setAttachment("highway-later", "unknown here");
        RpcContext.getServerAttachment().setAttachment("highway-later", "unknown here");

        shanghai.serve(service, invocation);

        assertThat(service.received.getObjectAttachments()).containsOnlyKeys("traceparent");
        assertThat(RpcContext.getServerAttachment().getObjectAttachments()).containsOnlyKeys("traceparent");
    }

    @ParameterizedTest
    @ValueSource(strings = {"highway-island", "highway-from", "highway-sign"})
    void stripsAValueThatIsNoText_andRefusesWhatHasNoReadableIsland(String key) {
        RpcInvocation invocation = arrived(null, null, null);
        invocation.setObjectAttachment(key, 7);
        RpcContext.getServerAttachment().setObjectAttachment(key, 7);

        Result result = shanghai.serve(service, invocation);

        assertRefused(
                result,
                "HIGHWAY-REFUSED:wrong-island; this is shanghai, the call was for \""
                        + (key.equals("highway-island") ? "(java.lang.Integer)" : "")
                        + "\"; look at the gateways' routes");
        assertThat(service.received).isNull();
        assertThat(invocation.getObjectAttachments()).containsOnlyKeys("traceparent");
        assertThat(RpcContext.getServerAttachment().getObjectAttachments()).containsOnlyKeys("traceparent");
    }

    @Test
    void takesAnOriginThatIsNoText_forAnUnknownCaller() {
        RpcInvocation invocation = arrived("shanghai", null, null);
        invocation.setObjectAttachment(HighwayAttachments.FROM, 7);

        Result result = shanghai.serve(service, invocation);

        assertThat(value(result)).isEqualTo("done");
        assertThat(service.caller).isEmpty();
        assertThat(service.hops).isEqualTo(1);
    }

    @Test
    void refusesASignatureThatIsNoText() {
        RpcInvocation invocation = arrived("shanghai", "zhejiang/shop/1", null);
        invocation.setObjectAttachment(HighwayAttachments.SIGN, 7);

        Result result = signed.serve(service, invocation);

        assertThat(result.getException()).hasMessageStartingWith("HIGHWAY-REFUSED:unreadable-signature; ");
        assertThat(service.received).isNull();
    }

    @ParameterizedTest
    @CsvSource({"shop, true", "'my shop', true", "warehouse, false"})
    void reportsNoCaller_whenTheHeadersComeWithAnotherApplicationsCall(String sender, boolean reported) {
        RpcInvocation invocation = arrived("shanghai", "zhejiang/" + sender.replace(' ', '_') + "/2", null);
        if (!reported) {
            invocation.setAttachment(HighwayAttachments.FROM, "zhejiang/shop/2");
        }
        invocation.setAttachment("remote.application", sender);

        Result result = shanghai.serve(service, invocation);

        assertThat(value(result)).isEqualTo("done");
        assertThat(service.caller.isPresent()).isEqualTo(reported);
        assertThat(service.hops).as("the chain is as long as it is").isEqualTo(2);
    }

    @Test
    void opensNoScopeInside() {
        HighwayContext[] inside = new HighwayContext[1];
        Invoker<Object> asking = new Service() {
            @Override
            public Result invoke(Invocation invocation) {
                inside[0] = HighwayContext.capture();
                assertThat(HighwayContext.capture().route()).isNull();
                return super.invoke(invocation);
            }
        };

        Highway.to("beijing").run(() -> shanghai.serve(asking, arrived("shanghai", "zhejiang/shop/1", null)));

        assertThat(InternalContexts.hops(inside[0])).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"beijing, beijing", "SHANGHAI, SHANGHAI", "'shang\nhai', shang\\u000ahai", "'', ''"})
    void refusesACallForAnotherIsland(String island, String shown) {
        RpcInvocation invocation = arrived(island, "zhejiang/shop/1", null);

        Result result = shanghai.serve(service, invocation);

        assertRefused(
                result,
                "HIGHWAY-REFUSED:wrong-island; this is shanghai, the call was for \"" + shown
                        + "\"; look at the gateways' routes");
        assertThat(service.received).isNull();
    }

    @Test
    void refusesACallWithoutDestination() {
        Result result = shanghai.serve(service, arrived(null, "zhejiang/shop/1", null));

        assertThat(result.getException()).hasMessageStartingWith("HIGHWAY-REFUSED:wrong-island; this is shanghai");
        assertThat(service.received).isNull();
    }

    @ParameterizedTest
    @CsvSource({"3, true", "4, false", "9999, false"})
    void refusesTooManyHops(int hops, boolean served) {
        Result result = shanghai.serve(service, arrived("shanghai", "zhejiang/shop/" + hops, null));

        if (served) {
            assertThat(value(result)).isEqualTo("done");
            assertThat(service.hops).isEqualTo(hops);
        } else {
            assertRefused(
                    result,
                    "HIGHWAY-REFUSED:too-many-hops; the call crossed " + hops + " islands and highway.max-hops is 3");
            assertThat(service.received).isNull();
        }
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "garbage",
                "/",
                "//",
                "zhejiang/shop",
                "Zhejiang/shop/1",
                "/shop/1",
                "zhejiang/shop/",
                "zhejiang/shop/one",
                "zhejiang/shop/-1",
                "zhejiang/shop/99999",
                "zhejiang/shop/1\n",
                "zhejiang/sh\rop/1",
                "zhejiang/sh\u001b[31mop/1",
                "zhejiang/sh op/1",
                "zhejiang/sh;op/1",
                "zhejiang//1",
                "zhejiang/shop/0",
                "zhejiang/shop/01",
                "-zhejiang/shop/1",
                "浙江/shop/1"
            })
    void servesACallOfUnknownOrigin_asOneHop(String from) {
        Result result = shanghai.serve(service, arrived("shanghai", from, null));

        assertThat(value(result)).isEqualTo("done");
        assertThat(service.caller).isEmpty();
        assertThat(service.hops).isEqualTo(1);
    }

    @Test
    void stripsAndRecords_butRefusesNothing_whenHighwayIsOff() {
        Result result = off.serve(service, arrived("beijing", "zhejiang/shop/9", "garbage"));

        assertThat(value(result)).isEqualTo("done");
        assertThat(service.caller).contains(Caller.of("zhejiang", "shop"));
        assertThat(service.received.getObjectAttachments()).containsOnlyKeys("traceparent");
    }

    /** A call signed at the caller, as it arrives. */
    private static RpcInvocation signedBy(String secret) {
        HighwayRuntime caller = runtime(Map.of(
                "highway.island", "zhejiang", "highway.sign.key-id", "zhejiang-2026", "highway.sign.secret", secret));
        RpcInvocation sent = send();
        new OutboundRouteHeaders(
                        "shanghai", "zhejiang/shop/1", caller.signatures().signerTo("shanghai"))
                .write(sent);
        OutboundRouteHeaders.seal(sent, "com.foo.Sms");
        InboundRouteHeaders headers = InboundRouteHeaders.read(sent);
        return arrived(headers.island(), headers.from(), headers.sign());
    }

    @Test
    void servesASignedCall_once() {
        RpcInvocation call = signedBy("s3cr3t");
        String sign = (String) call.getObjectAttachment(HighwayAttachments.SIGN);

        Result first = signed.serve(service, call);
        Optional<Caller> caller = service.caller;
        Result second = signed.serve(service, arrived("shanghai", "zhejiang/shop/1", sign));

        assertThat(value(first)).isEqualTo("done");
        assertThat(caller).contains(Caller.signed("zhejiang", "shop", "zhejiang-2026", Caller.Proof.KEY));
        assertThat(second.getException()).hasMessageStartingWith("HIGHWAY-REFUSED:replayed; this signature was used");
    }

    /** What says that it passes another call's headers on passes where a call without headers does, and only there. */
    @ParameterizedTest
    @CsvSource({"192.0.2.1, false", "192.0.2.9, true"})
    void servesPassedOnHeaders_whereItServesCallsWithoutHeaders(String peer, boolean served) {
        ProviderGuard guard = guard(Map.of(
                "highway.island", "shanghai",
                "highway.sign.accept.zhejiang-2026", "s3cr3t",
                "highway.guard.gateways", "192.0.2.1"));
        RpcInvocation call = signedBy("s3cr3t");
        call.setAttachment(CommonConstants.REMOTE_APPLICATION_KEY, "warehouse");
        RpcContext.getServiceContext().setRemoteAddress(peer, 7);

        Result result = guard.serve(service, call);

        assertThat(result.hasException()).isEqualTo(!served);
        if (served) {
            assertThat(service.caller).isEmpty();
        } else {
            assertThat(result.getException()).hasMessageStartingWith("HIGHWAY-REFUSED:headers-missing; ");
            assertThat(service.received).isNull();
        }
    }

    /** A gateway may have sent the same request twice: the first one may have run. */
    @Test
    void provesNothing_whenItRefusesAReplay() {
        RpcInvocation call = signedBy("s3cr3t");
        RpcInvocation again =
                arrived("shanghai", "zhejiang/shop/1", (String) call.getObjectAttachment(HighwayAttachments.SIGN));
        signed.serve(service, call);

        signed.serve(service, again);

        assertThat(RefusalStatement.of(again)).isNull();
    }

    @Test
    void refusesAWrongSignature_andAnUnsignedCall() {
        Result wrong = signed.serve(service, signedBy("wrong"));
        Result unsigned = signed.serve(service, arrived("shanghai", "zhejiang/shop/1", null));

        assertThat(wrong.getException()).hasMessageStartingWith("HIGHWAY-REFUSED:wrong-signature; ");
        assertThat(unsigned.getException())
                .hasMessageStartingWith("HIGHWAY-REFUSED:unsigned; ")
                .hasMessageEndingWith("see highway.sign.accept.* in shanghai");
        assertThat(service.received).isNull();
    }

    @Test
    void stripsARefusedCallToo() {
        RpcInvocation invocation = arrived("beijing", "zhejiang/shop/1", null);

        shanghai.serve(service, invocation);

        assertThat(invocation.getObjectAttachments()).containsOnlyKeys("traceparent");
        assertThat(RpcContext.getServerAttachment().getObjectAttachments()).containsOnlyKeys("traceparent");
    }

    /** Whoever has a secret may send requests that no service gets, and go. */
}
