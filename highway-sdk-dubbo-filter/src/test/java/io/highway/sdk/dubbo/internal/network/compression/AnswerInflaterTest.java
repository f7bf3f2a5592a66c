// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.Test;

class AnswerInflaterTest {

    private static final int LIMIT = 8 << 20;
    private static final int WAIT = 10_000;
    private static final byte[] TEXT =
            "tea for two, and two for tea".repeat(400).getBytes();

    @Test
    void boundsWhatIsInflated_byThePayloadOfTheReference() throws UnreadableAnswerException {
        FrameworkModel framework = new FrameworkModel();
        try {
            MessageCompressor compressor = Objects.requireNonNull(MessageCompressors.of("gzip"));
            URL invoker = URL.valueOf("tri://localhost/Shop?" + GrpcMessageCompression.MOST_INFLATED + "=" + LIMIT)
                    .setScopeModel(framework.newApplication().newModule());
            GrpcMessageCompression answers = GrpcMessageCompression.of("gzip", invoker);

            assertThatThrownBy(() -> answers.inflate("gzip", compressor.compress(new byte[LIMIT + 1], 0), WAIT))
                    .hasMessageContaining("dubbo.protocol.payload");
            assertThatThrownBy(() -> answers.inflate("gzip", TEXT, WAIT)).isInstanceOf(UnreadableAnswerException.class);
            assertThatThrownBy(() -> answers.inflate("bzip2", TEXT, WAIT)).hasMessageContaining("no known encoding");
            assertThatThrownBy(() -> answers.inflate(null, TEXT, WAIT)).hasMessageContaining("no known encoding");
            assertThatThrownBy(() -> answers.inflate("zstd-0badcafe", TEXT, WAIT))
                    .hasMessageContaining("dictionary");
            MemoryBudget.of(framework).limit(TEXT.length);
            assertThatThrownBy(() -> answers.inflate("gzip", compressor.compress(new byte[LIMIT], 0), WAIT))
                    .hasMessageContaining("max-buffered");
            MemoryBudget.of(framework).limit(1); // what others hold is over it: a small answer passes
            assertThat(answers.inflate("gzip", compressor.compress(TEXT, 0), WAIT)
                            .bytes())
                    .isEqualTo(TEXT);
        } finally {
            framework.destroy();
        }
    }

    @Test
    void largeAnswersWaitForEachOther_andCountUntilTheyAreDecoded() throws Exception {
        FrameworkModel framework = new FrameworkModel();
        try {
            MessageCompressor compressor = Objects.requireNonNull(MessageCompressors.of("gzip"));
            byte[] large = compressor.compress(new byte[2 * MemoryBudget.STEP], 0);
            byte[] small = compressor.compress(TEXT, 0);
            URL invoker = URL.valueOf("tri://localhost/Shop")
                    .setScopeModel(framework.newApplication().newModule());
            GrpcMessageCompression answers = GrpcMessageCompression.of("gzip", invoker);
            List<InflatedMessage> inflated = new ArrayList<>();
            for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
                inflated.add(answers.inflate("gzip", large, WAIT));
            }

            assertThat(MemoryBudget.of(framework).bytes()).isGreaterThan(2L * MemoryBudget.STEP * inflated.size());
            assertThatThrownBy(() -> answers.inflate("gzip", large, 1)).hasMessageContaining("until its time was over");
            answers.inflate("gzip", small, 1).close();
            answers.inflate("gzip", compressor.compress(new byte[MemoryBudget.STEP], 0), 1)
                    .close();
            inflated.get(0).close();
            answers.inflate("gzip", large, WAIT).close();
            inflated.forEach(InflatedMessage::close);
            assertThat(MemoryBudget.of(framework).bytes()).isZero();
        } finally {
            framework.destroy();
        }
    }
}
