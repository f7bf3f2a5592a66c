// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.evidence.NotWrittenException;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeaderSanitizerTest {

    private final HeaderSanitizer carried = new HeaderSanitizer();

    private static Http2Headers request() {
        return new DefaultHttp2Headers(false)
                .method("POST")
                .path("/com.example.Shop/sell")
                .set("content-type", "application/grpc+proto")
                .set("te", "trailers")
                .set("highway-island", "shanghai")
                .set("note", "x");
    }

    private static Http2Headers answer() {
        return new DefaultHttp2Headers(false).status("200").set("content-type", "application/grpc+proto");
    }

    @Test
    void changesNothingOfAnOrdinaryRequest() {
        Http2Headers headers = request();

        assertThat(carried.checkRequest(headers)).isNull();

        assertThat(headers).isEqualTo(request());
    }

    @Test
    void restoresTriplesOwnHeaders_thatAttachmentsHaveReplaced() {
        Http2Headers headers =
                request().set("te", "gzip").set("content-type", "text/plain").set("upgrade", "h2c");

        assertThat(carried.checkRequest(headers)).isNull();

        assertThat(headers).isEqualTo(request());
    }

    @Test
    void refusesWhatCannotBeEncoded_withTheNameOnly() {
        NotWrittenException refused = carried.checkRequest(request().set("pin", "12\n34"));

        assertThat(refused).isNotNull();
        assertThat(refused.reason()).isEqualTo(Reason.NOT_TUNNELLABLE);
        assertThat(refused)
                .hasMessageContaining("\"pin\"")
                .hasMessageContaining("encode its value")
                .hasMessageNotContaining("34");
    }

    @Test
    void refusesAName_escaped() {
        assertThat(carried.checkRequest(request().set("a\nb", "x"))).hasMessageContaining("\"a\\u000ab\"");
    }

    @Test
    void refusesMoreBytesThanServersTake() {
        NotWrittenException refused = carried.checkRequest(request().set("essay", "x".repeat(31 * 1024)));

        assertThat(refused).isNotNull();
        assertThat(refused.reason()).isEqualTo(Reason.TOO_LARGE);
        assertThat(carried.checkRequest(request().set("essay", "x".repeat(30 * 1024))))
                .isNull();
    }

    @Test
    void leavesEveryKindOutOfAnAnswer_andItsTrailers() {
        Http2Headers headers = answer().set("content-type", "text/plain")
                .set("connection", "close")
                .set("note", "a\rb");
        Http2Headers trailers = new DefaultHttp2Headers(false)
                .set("grpc-status", "0")
                .set("content-type", "text/plain")
                .set("a b", "x")
                .add("kept", List.of("1", "2"));

        carried.checkAnswer(headers);
        carried.checkAnswer(trailers);

        assertThat(headers).isEqualTo(answer());
        assertThat(trailers)
                .isEqualTo(
                        new DefaultHttp2Headers(false).set("grpc-status", "0").add("kept", List.of("1", "2")));
    }

    @Test
    void leavesAPageOfDubboAsItIs() {
        Http2Headers page = new DefaultHttp2Headers(false).status("404").set("content-type", "text/plain");

        carried.checkAnswer(page);

        assertThat(page.get("content-type")).hasToString("text/plain");
    }

    @Test
    void namesSixteenAttachmentsOnce_andThenCounts() {
        String log = logged(() -> {
            for (int round = 0; round < 3; round++) {
                for (int number = 0; number < 100; number++) {
                    carried.checkAnswer(answer().set("note-" + number, "a\nb"));
                }
            }
        });

        List<String> lines = log.lines()
                .filter(line -> line.contains("left out over Triple"))
                .toList();
        assertThat(lines).hasSize(17);
        assertThat(lines).filteredOn(line -> line.contains("(logged once)")).hasSize(16);
        assertThat(lines).filteredOn(line -> line.contains("\"note-3\"")).hasSize(1);
    }

    private static String logged(Runnable code) {
        PrintStream before = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            code.run();
        } finally {
            System.setErr(before);
        }
        return log.toString(StandardCharsets.UTF_8);
    }
}
