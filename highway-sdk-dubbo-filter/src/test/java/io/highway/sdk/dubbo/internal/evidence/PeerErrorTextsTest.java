// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PeerErrorTextsTest {

    /** The text of a timeout (3.3.6, {@code DefaultFuture}), whose URL has 600 characters. */
    @Test
    void haveNoParametersOfUrls() {
        String url =
                "dubbo://10.0.0.1:20880/com.foo.SmsService?application=orders&dubbo=2.0.2&interface=com.foo.SmsService"
                        + "&metadata-type=remote&methods=send,find&side=consumer&timestamp=1".repeat(8);

        assertThat(PeerErrorTexts.withoutParameters(
                        "Waiting for a response of " + url + " timed out, channel: " + url + "."))
                .startsWith("Waiting for a response of dubbo://10.0.0.1:20880/com.foo.SmsService")
                .doesNotContain("metadata-type")
                .hasSizeLessThan(200);
    }
}
