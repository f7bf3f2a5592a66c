// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.IntentSource;
import io.highway.sdk.dubbo.TunnelKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CallsTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private final Calls calls = new Calls(stream(out), stream(errors), new LastCall(), true);

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

    @Test
    void printsATable_forPeople() {
        Calls table = new Calls(stream(out), stream(errors), new LastCall(), false);
        table.call(Expected.home(IntentSource.NONE), "a text", text -> "zhejiang: " + text);
        table.call(
                Expected.island("shanghai", TunnelKind.DUBBO, IntentSource.NONE),
                "another application of guangdong",
                text -> "shanghai (dubbo, for zhejiang): " + text);
        table.call(Expected.home(IntentSource.NONE), "second", text -> {
            throw new IllegalStateException("no time left");
        });

        boolean allAsExpected = table.finish();

        assertThat(text(out).lines().map(line -> line.replaceAll(" +[0-9]+(  java.*)?$", " MS$1")))
                .containsExactly(
                        "CALL                              ISLAND NAMED BY  TUNNEL  ANSWERED BY     MS  REFUSED AS",
                        "a text                            none             none    zhejiang MS",
                        "another application of guangdong  none             dubbo   shanghai MS",
                        "second                            none             none    - MS"
                                + "  java.lang.IllegalStateException: no time left",
                        "quickstart: 3 calls, 2 as expected; call 3 (second): expected route=home tunnel=none from=none"
                                + " answer=zhejiang: second, but was route=home tunnel=none from=none"
                                + " answer=java.lang.IllegalStateException: no time left");
        assertThat(allAsExpected).isFalse();
    }
}
