// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.highway.tools.fixtures.http.HttpOrigin;
import io.highway.tools.fixtures.http.HttpOrigin.Then;
import io.highway.tools.fixtures.http.RawPost;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Real gateways with the files to be copied carry the POSTs of the HTTP tunnel, each once, to a server that counts them. */
@Tag("network")
class HttpTunnelTest {

    private static final String NOT_FORWARDED = "highway-not-forwarded";

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(
            value = GatewayKind.class,
            mode = Mode.EXCLUDE,
            names = {"SCG_MVC", "EDGE"}) // they state nothing
    void aStarCarriesBodies_andStatesWhatItDidNotForward(GatewayKind kind) throws Exception {
        assumeThere(kind);
        try (Processes processes = new Processes(folder);
                HttpOrigin provider = new HttpOrigin(0)) {
            RawPost client = new RawPost(star(kind, processes, provider, false)
                    .entrance(Protocol.HTTP, "shanghai")
                    .orElseThrow()
                    .plain());

            for (int length : new int[] {0, 2 << 10, 1 << 20, 7_000_000}) {
                byte[] body = new byte[length];
                new Random(length).nextBytes(body);
                String id = "body" + length;
                HttpResponse<byte[]> answer =
                        client.send("shanghai", id, body, "answer-" + NOT_FORWARDED, "shanghai;claimed");
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.body()).isEqualTo(body);
                assertThat(answer.headers().firstValue("content-type"))
                        .hasValueSatisfying(type -> assertThat(type).startsWith("application/x-dubbo"));
                assertThat(answer.headers().firstValue(NOT_FORWARDED)).isEmpty();
                assertThat(provider.executions(id)).isEqualTo(1);
            }
            assertThat(provider.heads()).allSatisfy(head -> assertThat(head)
                    .startsWith("POST /highway/shanghai/com.foo.SmsService/send HTTP/1.1\n"));
            assertThat(client.health("shanghai")).isEqualTo(200);

            assertThat(statement(client, "atlantis", kind == GatewayKind.APISIX ? 404 : 502))
                    .startsWith("atlantis;unknown-island");
            for (Then then : List.of(Then.RESET, Then.CLOSE, Then.UNAVAILABLE)) {
                provider.then(then);
                mayHaveRun(client, then.name(), new byte[1]);
                assertThat(provider.executions(then.name())).isEqualTo(1);
            }
            provider.refuse();
            provider.then(Then.CLOSE);
            mayHaveRun(client, "last", new byte[1]); // ends a connection that is kept
            assertThat(statement(client, "shanghai", 502)).startsWith("shanghai;upstream-unreachable");
        }
    }

    /** HAProxy closes the client's connection without an answer where the server has done so. */
    private static void mayHaveRun(RawPost client, String id, byte[] body) throws IOException, InterruptedException {
        try {
            HttpResponse<byte[]> answer = client.send("shanghai", id, body);
            assertThat(answer.headers().firstValue(NOT_FORWARDED)).isEmpty();
            assertThat(answer.statusCode()).isBetween(500, 599);
        } catch (ConnectException e) {
            throw e; // the gateway is not there, so nothing is proven
        } catch (IOException e) {
            // no answer
        }
    }

    private static String statement(RawPost client, String island, int status)
            throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = client.send(island, "x", new byte[1]);
        assertThat(answer.statusCode()).isEqualTo(status);
        return answer.headers().firstValue(NOT_FORWARDED).orElse("");
    }

    @ParameterizedTest
    @EnumSource(GatewayKind.class)
    void noGatewaySendsACallTwice_unlessItIsToldTo(GatewayKind kind) throws Exception {
        assumeThere(kind);
        assertThat(twice(kind, false)).isZero();
        if (!Set.of(GatewayKind.REFERENCE, GatewayKind.EDGE, GatewayKind.APISIX).contains(kind)) {
            assertThat(twice(kind, true)).as("told to send again").isPositive();
        }
    }

    private int twice(GatewayKind kind, boolean resends) throws Exception {
        try (Processes processes = new Processes(folder);
                HttpOrigin provider = new HttpOrigin(0)) {
            RawPost client = new RawPost(star(kind, processes, provider, resends)
                    .entrance(Protocol.HTTP, "shanghai")
                    .orElseThrow()
                    .plain());
            int twice = 0;
            for (Then then : List.of(Then.RESET, Then.CLOSE, Then.UNAVAILABLE)) {
                for (int length : new int[] {2 << 10, 1 << 20}) {
                    if (kind == GatewayKind.NGINX) { // with one server it sends again what a kept connection lost
                        provider.then(Then.ANSWER);
                        client.send("shanghai", "first", new byte[1]);
                    }
                    provider.then(then);
                    String id = then + "-" + length;
                    mayHaveRun(client, id, new byte[length]);
                    twice += provider.executions(id) > 1 ? 1 : 0;
                }
            }
            return twice;
        }
    }

    private static GatewayStar star(GatewayKind kind, Processes processes, HttpOrigin provider, boolean resends)
            throws IOException {
        String address = "sms.shanghai.test:" + provider.port();
        List<Island> islands = List.of(new Island("shanghai", address, address, address));
        return GatewayStar.start(kind, processes, work(kind), "zhejiang", islands, GatewayStar.DRAIN_SECONDS, resends);
    }

    /** Gateways of other modules are looked for in the folders above it. */
    private static Path work(GatewayKind kind) {
        return Path.of("target", "http-tunnel", kind.word()).toAbsolutePath();
    }

    private static void assumeThere(GatewayKind kind) {
        boolean there =
                switch (kind) {
                    case NGINX, HAPROXY, ENVOY, APISIX -> Program.look(kind).isPresent();
                    case SCG -> isBuilt("spring-cloud-gateway");
                    case SCG_MVC -> isBuilt("spring-cloud-gateway-mvc");
                    case ZUUL -> isBuilt("zuul");
                    case EDGE -> isBuilt("edge");
                    case REFERENCE -> true;
                };
        assumeThat(there).as(kind + " is installed").isTrue();
    }

    private static boolean isBuilt(String module) {
        return Path.of(module, "target", "lib").toFile().isDirectory();
    }
}
