// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.dubbo.internal.limits.MemoryBudget;
import java.util.Objects;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.protocol.tri.compressor.DeCompressor;
import org.junit.jupiter.api.Test;

class InflationLimitTest {

    private static final int LIMIT = 8 << 20;
    private static final byte[] TEXT =
            "tea for two, and two for tea".repeat(400).getBytes();

    @Test
    void boundsWhatDubboInflatesItself_whereReferencesCallThroughGateways() {
        FrameworkModel framework = new FrameworkModel();
        try {
            MessageCompressor compressor = Objects.requireNonNull(MessageCompressors.of("gzip"));
            DeCompressor gzip = DeCompressor.getCompressor(framework, "gzip");
            byte[] large = compressor.compress(new byte[LIMIT + 1], 0);
            assertThat(gzip.decompress(large)).hasSize(LIMIT + 1);

            InflationLimit.answersOf(URL.valueOf("tri://localhost/Shop?payload=" + LIMIT)
                    .setScopeModel(framework.newApplication().newModule()));
            InflationLimit limit = InflationLimit.of(framework);

            assertThatThrownBy(() -> MarkedMessage.answer(gzip.decompress(large), null, limit))
                    .hasMessageContaining("dubbo.protocol.payload");
            assertThatThrownBy(() -> MarkedMessage.answer(gzip.decompress(TEXT), null, limit))
                    .isInstanceOf(UnreadableAnswerException.class);
            MemoryBudget.of(framework).limit(TEXT.length);
            assertThatThrownBy(() ->
                            MarkedMessage.answer(gzip.decompress(compressor.compress(new byte[LIMIT], 0)), null, limit))
                    .hasMessageContaining("max-buffered");
            MemoryBudget.of(framework).limit(1); // what others hold is over it: a small answer passes
            assertThat(gzip.decompress(compressor.compress(TEXT, 0))).isEqualTo(TEXT);
        } finally {
            framework.destroy();
        }
    }
}
