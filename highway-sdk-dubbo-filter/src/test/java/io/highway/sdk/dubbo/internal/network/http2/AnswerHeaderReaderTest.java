// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.Map;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerHeaderReaderTest {

    private static Http2Headers headers(String... namesAndValues) {
        Http2Headers headers = new DefaultHttp2Headers(false);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        return headers;
    }

    @ParameterizedTest
    @CsvSource({
        "200, application/grpc+proto, 0, OK",
        "200, application/grpc, 8, RESOURCE_EXHAUSTED",
        "200, application/grpc, 99, UNKNOWN",
        "200, application/grpc, -7, UNKNOWN",
        "200, application/grpc, x, UNKNOWN",
        "200, application/grpc, , UNKNOWN",
        "503, text/html, , UNAVAILABLE",
        "404, , 0, UNIMPLEMENTED",
        "x, text/html, , UNKNOWN",
        ", application/json, , INTERNAL"
    })
    void tellHowAnAnswerHasEnded(String http, String type, String status, TriRpcStatus.Code code) {
        Http2Headers headers = headers();
        if (http != null) {
            headers.status(http);
        }
        if (type != null) {
            headers.set("content-type", type);
        }
        Http2Headers trailers = status == null ? headers() : headers("grpc-status", status);

        assertThat(AnswerHeaderReader.status(headers, trailers).code).isEqualTo(code);
        headers.add(trailers);
        assertThat(AnswerHeaderReader.status(null, headers).code).isEqualTo(code);
    }

    @Test
    void tellHowAnAnswerHasEnded_thatHasNoTrailers() {
        Http2Headers head = headers(":status", "200", "content-type", "application/grpc");

        assertThat(AnswerHeaderReader.status(head, null).description).contains("missing GRPC status");
    }

    @Test
    void carryAttachments_alsoBytes_andNamesWithCapitals() {
        Map<String, Object> attachments = AnswerHeaderReader.attachments(headers(
                "grpc-status", "0",
                "plain", "1",
                "data-bin", "AQI",
                "wrong-bin", "%",
                "tri-header-convert", "%7B%22plain%22:%22pLain%22,%22other%22:%22oTher%22%7D"));

        assertThat(attachments).containsOnlyKeys("pLain", "data", "wrong-bin");
        assertThat(attachments).containsEntry("pLain", "1").containsEntry("data", new byte[] {1, 2});
    }

    @ParameterizedTest
    @CsvSource({"[", "null", "1", "%zz"})
    void areNotRenamed_byWhatIsNoMapOfNames(String converted) {
        assertThat(AnswerHeaderReader.attachments(
                        headers("grpc-status", "0", "name", "1", "tri-header-convert", converted)))
                .containsExactly(Map.entry("name", "1"));
    }
}
