// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.StringValue;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.GuardListener.GuardEvent;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.internal.call.CanonicalMethod;
import io.highway.sdk.dubbo.it.GuideSnippets.SmsService;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plain Dubbo and grpc-java write the route headers themselves, as {@code callers-without-the-sdk.md} shows. */
@Tag("network")
class CallersWithoutTheSdkTest {

    private static final String FROM = "zhejiang/orders/1";
    private static final List<GuardEvent> seen = new CopyOnWriteArrayList<>();
    private static final AtomicInteger runs = new AtomicInteger();

    /** Dubbo closes its Triple servers with the first framework model that ends, so all end at the end. */
    private static final List<TestApplication> applications = new ArrayList<>();

    private static Gateway gateway;
    private static ManagedChannel channel;

    @BeforeAll
    static void start() {
        Echoes.register();
        GatewayConfig.Builder routes =
                GatewayConfig.builder().island("zhejiang").listen("gateway.zhejiang.test", 0);
        serve(
                routes,
                "shanghai",
                "highway.guard.rules.all.action",
                "audit",
                "highway.guard.rules.tests.action",
                "deny",
                "highway.guard.rules.tests.from",
                "*/test-*");
        serve(routes, "beijing", "highway.sign.accept.zhejiang-2026", "s3cr3t");
        gateway = Gateway.start(routes.build());
        channel = GuideSnippets.channel(gatewayAddress());
    }

    private static void serve(GatewayConfig.Builder routes, String island, String... keysAndValues) {
        Map<String, String> keys = new HashMap<>(Map.of("highway.island", island));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            keys.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        TestApplication application = new TestApplication(island, keys);
        applications.add(application);
        application.model().getBeanFactory().registerBean((HighwayCustomizer) setup -> setup.guardListener(seen::add));
        SmsService sms = text -> {
            runs.incrementAndGet();
            return text + " in " + island;
        };
        routes.providers(island, "*", List.of(application.listen("dubbo")), List.of(application.listen("tri")));
        application
                .export(SmsService.class, sms, service -> {})
                .export(Echoes.class, new Echoes.Provider(), service -> service.setProtocolIds("tri"))
                .start();
    }

    private static String gatewayAddress() {
        return "gateway.zhejiang.test:" + gateway.port();
    }

    @AfterAll
    static void stop() {
        channel.shutdownNow();
        gateway.closeNow();
        applications.forEach(TestApplication::close);
    }

    @BeforeEach
    void forget() {
        seen.clear();
        runs.set(0);
    }

    private static TestApplication plain(String application) {
        TestApplication plain = new TestApplication(application, "zhejiang", Map.of("highway.enabled", "false"));
        applications.add(plain);
        return plain;
    }

    private static String url(Tunnel tunnel) {
        return (tunnel == Tunnel.DUBBO ? "dubbo://" : "tri://") + gatewayAddress();
    }

    private static SmsService sms(Tunnel tunnel, String application) {
        ReferenceConfig<SmsService> reference = plain(application).reference(SmsService.class, config -> {});
        return GuideSnippets.plainDubbo(reference, url(tunnel));
    }

    private static RpcException refused(SmsService sms, String island, String from) {
        RpcContext.getClientAttachment().setAttachment("highway-island", island);
        RpcContext.getClientAttachment().setAttachment("highway-from", from);
        return catchThrowableOfType(RpcException.class, () -> sms.send("hello"));
    }

    @ParameterizedTest
    @EnumSource
    void plainDubbo_isAnswered_andTheGuardSeesItsCaller(Tunnel tunnel) {
        SmsService sms = sms(tunnel, "orders");
        GenericService generic = plain("orders")
                .reference(GenericService.class, config -> {
                    config.setInterface(SmsService.class.getName());
                    config.setGeneric("true");
                    config.setUrl(url(tunnel));
                })
                .get();

        assertThat(GuideSnippets.plainCall(sms)).isEqualTo("hello in shanghai");
        assertThat(GuideSnippets.plainGenericCall(generic)).isEqualTo("hello in shanghai");

        assertThat(seen).hasSize(2).allSatisfy(event -> {
            assertThat(event.caller()).isEqualTo(Caller.of("zhejiang", "orders"));
            assertThat(event.methodName()).isEqualTo("send");
        });
    }

    @ParameterizedTest
    @EnumSource
    void plainDubbo_isRefused_byGuardAndGateway(Tunnel tunnel) {
        SmsService orders = sms(tunnel, "orders");
        SmsService tests = sms(tunnel, "test-orders");

        assertThat(refused(tests, "shanghai", "zhejiang/test-orders/1"))
                .hasMessageContaining("HIGHWAY-REFUSED:denied;");
        assertThat(refused(orders, "beijing", FROM)).hasMessageContaining("HIGHWAY-REFUSED:unsigned;");
        assertThat(refused(orders, "atlantis", FROM)).hasMessageContaining("HIGHWAY-NOT-FORWARDED: atlantis;");
        assertThat(runs).hasValue(0);
    }

    /** A name that is not the application's is that of a call whose headers were passed on. */
    @ParameterizedTest
    @EnumSource
    void plainDubbo_isAnUnknownCaller_underAnotherName(Tunnel tunnel) {
        assertThat(GuideSnippets.plainCall(sms(tunnel, "shop"))).isEqualTo("hello in shanghai");

        assertThat(seen).singleElement().extracting(GuardEvent::caller).isNull();
    }

    private static Metadata headers(String... namesAndValues) {
        Metadata headers = new Metadata();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.put(GuideSnippets.header(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return headers;
    }

    private static String echo(Metadata headers) {
        return EchoesGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                .withDeadlineAfter(20, TimeUnit.SECONDS)
                .echo(StringValue.of("hello"))
                .getValue();
    }

    private static StatusRuntimeException refused(Metadata headers) {
        return catchThrowableOfType(StatusRuntimeException.class, () -> echo(headers));
    }

    private static void assertRefused(
            StatusRuntimeException refused, Status.Code status, String header, String statement) {
        assertThat(refused.getStatus().getCode()).isEqualTo(status);
        String value = refused.getTrailers().get(GuideSnippets.header(header)); // Dubbo percent-encodes what it writes
        assertThat(TriRpcStatus.decodeMessage(value)).startsWith(statement);
    }

    @Test
    void grpcJava_isAnswered_andTheGuardSeesItsCaller() {
        assertThat(GuideSnippets.echo(GuideSnippets.echoes(channel))).isEqualTo("hello");

        assertThat(seen)
                .singleElement()
                .extracting(GuardEvent::caller, GuardEvent::methodName)
                .containsExactly(Caller.of("zhejiang", "orders"), "echo");
    }

    @Test
    void grpcJava_isRefused_byGuardAndGateway() {
        StatusRuntimeException denied =
                refused(headers("highway-island", "shanghai", "highway-from", "zhejiang/test-orders/1"));
        StatusRuntimeException unsigned = refused(headers("highway-island", "beijing", "highway-from", FROM));
        StatusRuntimeException unknown = refused(headers("highway-island", "atlantis", "highway-from", FROM));

        if (Version.getVersion().startsWith("3.3")) {
            assertRefused(denied, Status.Code.PERMISSION_DENIED, "highway-refused", "shanghai;denied;");
        } else { // 3.2 answers refusals that need the body with a message
            assertThat(denied.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
            assertThat(denied.getStatus().getDescription()).startsWith("HIGHWAY-REFUSED:denied;");
        }
        assertRefused(unsigned, Status.Code.PERMISSION_DENIED, "highway-refused", "beijing;unsigned;");
        assertRefused(unknown, Status.Code.UNAVAILABLE, "highway-not-forwarded", "atlantis;");
    }

    @Test
    void grpcJava_isAnswered_onceItSigns() {
        CanonicalMethod echo = new CanonicalMethod("echo", List.of());
        String signature = TestSigner.of("zhejiang", "zhejiang-2026", "s3cr3t")
                .sign("beijing", FROM, Echoes.class.getName(), echo);

        assertThat(echo(headers("highway-island", "beijing", "highway-from", FROM, "highway-sign", signature)))
                .isEqualTo("hello");
    }

    /** Through HAProxy calls that have run end so, too. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void grpcJava_sendsARefusedStreamAgain_unlessRetriesAreOff(boolean retries) {
        try (RawTriplePeer peer = new RawTriplePeer("shanghai.test")) {
            peer.answer = stream -> stream.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
            String address = "shanghai.test:" + peer.port();
            ManagedChannel toPeer = retries
                    ? ManagedChannelBuilder.forTarget(address).usePlaintext().build()
                    : GuideSnippets.channel(address);

            StatusRuntimeException failed = catchThrowableOfType(
                    StatusRuntimeException.class, () -> GuideSnippets.echo(GuideSnippets.echoes(toPeer)));
            toPeer.shutdownNow();

            assertThat(failed).isNotNull();
            assertThat(peer.executed.get()).isEqualTo(retries ? 2 : 1);
        }
    }
}
