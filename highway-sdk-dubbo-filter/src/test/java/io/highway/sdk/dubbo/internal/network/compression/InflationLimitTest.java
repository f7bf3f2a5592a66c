// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import java.util.Objects;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.Test;

class InflationLimitTest {

    private static final int LIMIT = 8 << 20;
    private static final byte[] TEXT =
            "tea for two, and two for tea".repeat(400).getBytes();

    @Test
    void boundsWhatIsInflated_byThePayloadOfTheReference() throws UnreadableAnswerException {
        FrameworkModel framework = new FrameworkModel();
        try {
            MessageCompressor compressor = Objects.requireNonNull(MessageCompressors.of("gzip"));
            URL invoker = URL.valueOf("tri://localhost/Shop?" + CompressedMessages.MOST_INFLATED + "=" + LIMIT)
                    .setScopeModel(framework.newApplication().newModule());
            CompressedMessages answers = CompressedMessages.of("gzip", invoker);

            assertThatThrownBy(() -> answers.inflate("gzip", compressor.compress(new byte[LIMIT + 1], 0)))
                    .hasMessageContaining("dubbo.protocol.payload");
            assertThatThrownBy(() -> answers.inflate("gzip", TEXT)).isInstanceOf(UnreadableAnswerException.class);
            assertThatThrownBy(() -> answers.inflate("bzip2", TEXT)).hasMessageContaining("no known encoding");
            assertThatThrownBy(() -> answers.inflate(null, TEXT)).hasMessageContaining("no known encoding");
            assertThatThrownBy(() -> answers.inflate("zstd-0badcafe", TEXT)).hasMessageContaining("dictionary");
            MemoryBudget.of(framework).limit(TEXT.length);
            assertThatThrownBy(() -> answers.inflate("gzip", compressor.compress(new byte[LIMIT], 0)))
                    .hasMessageContaining("max-buffered");
            MemoryBudget.of(framework).limit(1); // what others hold is over it: a small answer passes
            assertThat(answers.inflate("gzip", compressor.compress(TEXT, 0))).isEqualTo(TEXT);
        } finally {
            framework.destroy();
        }
    }
}
