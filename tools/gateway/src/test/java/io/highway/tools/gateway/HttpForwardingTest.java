// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.tools.fixtures.http.HttpOrigin;
import io.highway.tools.fixtures.http.HttpOrigin.Then;
import io.highway.tools.fixtures.http.RawPost;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.serialize.ObjectOutput;
import org.apache.dubbo.common.serialize.Serialization;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The HTTP tunnel through two gateways, and to providers that take Dubbo frames only. */
@Tag("network")
class HttpForwardingTest {
    private static final String NOT_FORWARDED = "highway-not-forwarded";

    private HttpOrigin provider;
    private HttpOrigin other;
    private Gateway gateway;
    private Gateway hub;
    private RawPost client;

    @BeforeEach
    void start() throws IOException {
        provider = new HttpOrigin(0);
        other = new HttpOrigin(0);
        List<String> both = List.of("shanghai.test:" + provider.port(), "shanghai.test:" + other.port());
        gateway = Gateway.start(TestProviders.gateway()
                .providers("shanghai", "*", List.of(), List.of(), both)
                .build());
        hub = Gateway.start(
                TestProviders.hub("gateway.shanghai.test:" + gateway.port()).build());
        client = new RawPost("gateway.hub.test:" + hub.port());
    }

    @AfterEach
    void stop() throws IOException {
        hub.closeNow();
        gateway.closeNow();
        provider.close();
        other.close();
    }

    @ParameterizedTest
    @CsvSource({"1", "2048", "1048576", "7000000"})
    void carriesBodiesUnchanged_overConnectionsThatAreUsedAgain(int length) throws Exception {
        byte[] body = new byte[length];
        new Random(length).nextBytes(body);

        for (int call = 0; call < 4; call++) {
            HttpResponse<byte[]> answer = client.send("shanghai", "call" + call, body);

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo(body);
            assertThat(answer.headers().firstValue("content-type")).hasValue("application/x-dubbo");
        }
        assertThat(provider.heads()).hasSize(2).allSatisfy(head -> assertThat(head)
                .startsWith("POST /highway/shanghai/com.foo.SmsService/send HTTP/1.1\n")
                .contains("highway-island: shanghai\n"));
    }

    @Test
    void keepsRefusalsOfProviders_andRemovesStatementsThatOnlyGatewaysMake() throws Exception {
        HttpResponse<byte[]> answer = client.send(
                "shanghai",
                "claim",
                new byte[1],
                "answer-" + NOT_FORWARDED,
                "shanghai;unknown-island",
                "answer-highway-refused",
                "shanghai;busy");

        assertThat(answer.headers().firstValue(NOT_FORWARDED)).isEmpty();
        assertThat(answer.headers().firstValue("highway-refused")).hasValue("shanghai;busy");
    }

    @ParameterizedTest
    @EnumSource(value = Then.class, mode = Mode.EXCLUDE, names = "ANSWER")
    void sendsNoCallTwice(Then then) throws Exception {
        provider.then(then);
        other.then(then);

        for (int length : new int[] {2 << 10, 1 << 20}) {
            String id = then + " after " + length;
            HttpResponse<byte[]> answer = client.send("shanghai", id, new byte[length]);

            assertThat(provider.executions(id) + other.executions(id)).isEqualTo(1);
            assertThat(answer.headers().firstValue(NOT_FORWARDED)).isEmpty();
            assertThat(answer.statusCode()).isEqualTo(then == Then.UNAVAILABLE ? 503 : 502);
        }
    }

    @Test
    void statesWhatItDidNotForward() throws Exception {
        assertThat(statement("tokyo")).isEqualTo("tokyo;no-provider com.foo.SmsService");
        provider.close();
        other.close();
        assertThat(statement("shanghai")).startsWith("shanghai;upstream-unreachable shanghai.test:");
    }

    private String statement(String island) throws Exception {
        Gateway only = Gateway.start(TestProviders.gateway()
                .providers("tokyo", "com.foo.Other", List.of(), List.of(), List.of("tokyo.test:1"))
                .next("shanghai", List.of("gateway.shanghai.test:" + gateway.port()))
                .build());
        try {
            HttpResponse<byte[]> answer =
                    new RawPost("gateway.shanghai.test:" + only.port()).send(island, "x", new byte[1]);
            assertThat(answer.statusCode()).isEqualTo(502);
            return answer.headers().firstValue(NOT_FORWARDED).orElse("");
        } finally {
            only.close();
        }
    }

    @Test
    void answersHealthChecks_orPassesThemToTheIsland() throws Exception {
        assertThat(client.health("shanghai")).isEqualTo(200);
        assertThat(provider.heads()).hasSize(1);
        assertThat(status("/highway")).startsWith("HTTP/1.1 204 ");
        assertThat(status("/elsewhere")).startsWith("HTTP/1.1 404 ");
    }

    @Test
    void forwardsOneMoreCallOfAnIdleConnection_whenItCloses() throws Exception {
        assertThat(client.send("shanghai", "first", new byte[1]).statusCode()).isEqualTo(200);
        CompletableFuture<Void> closed = CompletableFuture.runAsync(hub::close);
        await().until(this::isRefused);

        HttpResponse<byte[]> last = client.send("shanghai", "last", new byte[1]);

        assertThat(last.statusCode()).isEqualTo(200);
        assertThat(closed).succeedsWithin(Duration.ofSeconds(5));
    }

    private boolean isRefused() {
        try (Socket connected = new Socket("gateway.hub.test", hub.port())) {
            return !connected.isConnected();
        } catch (IOException e) {
            return true;
        }
    }

    private String status(String path) throws IOException {
        return URI.create("http://gateway.hub.test:" + hub.port() + path)
                .toURL()
                .openConnection()
                .getHeaderField(0);
    }

    @Test
    void unwrapsTheFrame_forProvidersWithoutTheSdk() throws Exception {
        try (TestProviders island = TestProviders.start("shanghai");
                Gateway unguarded =
                        Gateway.start(island.inFront().guarded(false).build())) {
            byte[] request = request("hello");

            HttpResponse<byte[]> answer =
                    new RawPost("gateway.shanghai.test:" + unguarded.port()).send("shanghai", "x", request);

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(Unpooled.wrappedBuffer(answer.body()).getLong(4)).isEqualTo(77);
            assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("shanghai:hello");
        }
    }

    /** A request frame of Dubbo for {@link EchoService#echo}. */
    private static byte[] request(String text) throws IOException {
        FrameworkModel framework = new FrameworkModel();
        try {
            URL url = URL.valueOf("dubbo://shanghai.test:1").setScopeModel(framework.newApplication());
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            ObjectOutput out = framework
                    .getExtensionLoader(Serialization.class)
                    .getExtension("hessian2")
                    .serialize(url, body);
            out.writeUTF("2.0.2");
            out.writeUTF(EchoService.class.getName());
            out.writeUTF("0.0.0");
            out.writeUTF("echo");
            out.writeUTF("Ljava/lang/String;");
            out.writeObject(text);
            out.writeAttachments(Map.of("highway-island", "shanghai", "path", EchoService.class.getName()));
            out.flushBuffer();
            return ByteBufUtil.getBytes(Unpooled.buffer()
                    .writeShort(0xdabb)
                    .writeByte(0xc2)
                    .writeByte(0)
                    .writeLong(77)
                    .writeInt(body.size())
                    .writeBytes(body.toByteArray()));
        } finally {
            framework.destroy();
        }
    }
}
