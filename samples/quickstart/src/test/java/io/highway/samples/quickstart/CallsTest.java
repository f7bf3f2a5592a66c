// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.IntentSource;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CallsTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private final Calls calls = new Calls(stream(out), stream(errors), new LastCall());

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void namesTheCallThatDidSomethingElse_withWhatWasExpectedAndWhatHappened() {
        calls.call(Expected.home(IntentSource.NONE), "first", text -> "zhejiang: " + text);
        calls.call(Expected.home(IntentSource.NONE), "second", text -> {
            throw new IllegalStateException("no time left");
        });

        boolean allAsExpected = calls.finish();

        String failed = "call 2 (second): expected route=home tunnel=none from=none answer=zhejiang: second,"
                + " but was route=home tunnel=none from=none answer=java.lang.IllegalStateException: no time left";
        assertThat(allAsExpected).isFalse();
        assertThat(text(out).lines()).last().isEqualTo("quickstart: 2 calls, 1 as expected; " + failed);
        assertThat(text(errors)).contains(failed);
    }
}
