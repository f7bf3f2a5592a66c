// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import static io.highway.tools.gateway.TestCaller.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highway.tools.gateway.EchoService.Letter;
import io.highway.tools.gateway.EchoService.LostLetterException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Plain Dubbo consumers reach plain Dubbo providers through one gateway and through a chain of two. */
@Tag("network")
class ForwardingTest {
    private static TestProviders island;
    private static Gateway gateway;
    private static Gateway hub;
    private static TestCaller caller;

    /** Protocol, serialization, and how many gateways lie between. */
    record Way(String protocol, String serialization, int gateways) {
        EchoService refer(Map<String, String> more) {
            Map<String, String> parameters = new HashMap<>(more);
            parameters.put("serialization", serialization);
            parameters.put("prefer.serialization", serialization);
            int port = gateways == 1 ? gateway.port() : hub.port();
            return caller.refer(EchoService.class, protocol, port, parameters);
        }

        EchoService refer() {
            return refer(Map.of());
        }
    }

    static Stream<Way> ways() {
        return Stream.of("dubbo", "tri").flatMap(protocol -> Stream.of("hessian2", "fastjson2")
                .flatMap(serialization -> Stream.of(1, 2).map(gateways -> new Way(protocol, serialization, gateways))));
    }

    @BeforeAll
    static void start() {
        island = TestProviders.start("shanghai");
        gateway = Gateway.start(island.inFront().build());
        hub = Gateway.start(
                TestProviders.hub("gateway.shanghai.test:" + gateway.port()).build());
        caller = new TestCaller();
    }

    @AfterAll
    static void stop() {
        caller.close();
        hub.close();
        gateway.close();
        island.close();
    }

    @ParameterizedTest
    @MethodSource("ways")
    void carriesTextAndStructure(Way way) {
        EchoService service = way.refer();
        Letter letter = new Letter();
        letter.text = "中文 🚀";
        letter.inner = new Letter();
        letter.stamps.addAll(List.of("a", "b"));
        letter.weights.put("kg", 7);

        Letter back = to("shanghai", () -> service.letter(letter));

        assertThat(to("shanghai", () -> service.echo("é中🚀"))).isEqualTo("shanghai:é中🚀");
        assertThat(back).usingRecursiveComparison().isEqualTo(letter);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void keepsAttachmentsBothWays(Way way) {
        EchoService service = way.refer();

        to("shanghai", () -> service.echo("x"));

        assertThat(RpcContext.getClientResponseContext().getAttachment("seen-island"))
                .isEqualTo("shanghai");
    }

    @ParameterizedTest
    @MethodSource("ways")
    void keepsTheTypeOfBusinessExceptions(Way way) {
        EchoService service = way.refer();

        assertThatThrownBy(() -> {
                    RpcContext.getClientAttachment().setAttachment("highway-island", "shanghai");
                    service.fail("lost");
                })
                .isInstanceOf(LostLetterException.class)
                .hasMessage("lost");
    }

    @ParameterizedTest
    @MethodSource("ways")
    void carriesSevenMegabytes(Way way) {
        EchoService service = way.refer();
        byte[] body = new byte[7_000_000];
        new Random(7).nextBytes(body);

        assertThat(to("shanghai", () -> service.bytes(body))).isEqualTo(body);
    }

    @ParameterizedTest
    @CsvSource({"dubbo,1", "dubbo,2", "tri,1", "tri,2"})
    void reachesTheRightGroupAndVersion(String protocol, int gateways) {
        EchoService service = new Way(protocol, "hessian2", gateways).refer(Map.of("group", "blue", "version", "2.0"));

        assertThat(to("shanghai", () -> service.echo("grouped"))).isEqualTo("shanghai:grouped");
    }

    @ParameterizedTest
    @CsvSource({"dubbo,1", "dubbo,2", "tri,1", "tri,2"})
    void givesEveryCallerItsOwnAnswer(String protocol, int gateways) throws Exception {
        EchoService service = new Way(protocol, "hessian2", gateways).refer();
        ExecutorService threads = Executors.newFixedThreadPool(32);
        try {
            List<Future<String>> answers = new ArrayList<>();
            for (int call = 0; call < 2000; call++) {
                String text = "call" + call;
                answers.add(threads.submit(() -> to("shanghai", () -> service.slow(text, text.hashCode() & 7))));
            }

            for (int call = 0; call < 2000; call++) {
                assertThat(answers.get(call).get()).isEqualTo("call" + call);
            }
        } finally {
            threads.shutdown();
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "2"})
    void deliversOneway(int gateways) {
        EchoService service = new Way("dubbo", "hessian2", gateways).refer(Map.of("oneway", "true"));

        to("shanghai", () -> {
            service.note("oneway" + gateways);
            return "";
        });

        await().untilAsserted(() -> assertThat(island.notes).contains("oneway" + gateways));
    }
}
