// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.facts;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.Unpooled;

/** Any body of a request: facts within their limits, or a refusal that repeats nothing of it. */
class RequestFactsFuzzTest {

    private static final int LONGEST_NAME = 512;

    /** The first byte is Dubbo's id of the serialization. */
    @FuzzTest
    void readsFactsWithinTheLimits_orRefuses(byte[] input) {
        if (input.length == 0) {
            return;
        }
        try {
            DubboRequestFacts facts =
                    DubboRequestFacts.ofBody(Unpooled.wrappedBuffer(input, 1, input.length - 1), input[0] & 0xff);

            assertThat(DubboRequestFacts.canRead(input[0])).isTrue();
            assertThat(facts.service()).hasSizeLessThanOrEqualTo(LONGEST_NAME);
            assertThat(facts.method()).hasSizeLessThanOrEqualTo(LONGEST_NAME);
            assertThat(facts.attachments().keySet())
                    .allSatisfy(key -> assertThat(key).hasSizeLessThanOrEqualTo(LONGEST_NAME));
            assertThat(facts.attachments().toString())
                    .hasSizeLessThanOrEqualTo(2 * input.length + "{highway-a=-9223372036854775808}".length());
        } catch (UnreadableRequestException refused) {
            assertThat(refused.getMessage()).matches("[\\x20-\\x7e]{1,120}");
        }
    }
}
