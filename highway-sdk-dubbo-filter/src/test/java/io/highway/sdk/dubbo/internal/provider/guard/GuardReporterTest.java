// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.GuardListener;
import io.highway.sdk.dubbo.GuardListener.GuardEvent;
import io.highway.sdk.dubbo.GuardListener.Result;
import io.highway.sdk.dubbo.internal.limits.Listeners;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GuardReporterTest {

    private final AtomicLong clock = new AtomicLong();
    private final GuardReporter reports = new GuardReporter(clock::get);
    private final PrintStream before = System.err;
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    @BeforeEach
    void capture() {
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void release() {
        System.setErr(before);
    }

    private void refuse(String application, String reason, GuardListener... listeners) {
        GuardEvent event = new GuardEvent(
                Result.REFUSED,
                reason,
                "com.foo.Bank",
                "transfer",
                null,
                Caller.of("zhejiang", application),
                "10.0.0.1",
                null);
        reports.report(event, reason + "; a text", new Listeners<>("guard listener", List.of(listeners)));
    }

    private List<String> lines() {
        return log.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("the guard "))
                .toList();
    }

    @Test
    void logsOneLineAMinute_perCallerAndReason_withTheNumberOfTheOthers() {
        for (int i = 0; i < 5; i++) {
            refuse("shop", "denied");
            refuse("stock", "denied");
            refuse("shop", "busy");
        }
        assertThat(lines()).hasSize(3);

        clock.addAndGet(TimeUnit.SECONDS.toNanos(61));
        refuse("shop", "denied");

        assertThat(lines())
                .hasSize(4)
                .last()
                .asString()
                .contains("the guard refuses com.foo.Bank#transfer for zhejiang/shop from 10.0.0.1: denied; a text"
                        + " (and 4 times since the last line)");
    }

    @Test
    void logsAThousandCallersAMinute_andOneLineForTheRest() {
        for (int i = 0; i < 3_000; i++) {
            refuse("app" + i, "denied");
        }

        assertThat(lines()).hasSize(1_001);
    }

    @Test
    void tellsEveryListener_whateverAnotherOneThrows() {
        List<GuardEvent> told = new ArrayList<>();

        refuse(
                "shop",
                "denied",
                event -> {
                    throw new IllegalStateException("broken");
                },
                event -> {
                    throw new NoClassDefFoundError("missing");
                },
                told::add);

        assertThat(told).singleElement().satisfies(event -> {
            assertThat(event.isShadow()).isFalse();
            assertThat(event).hasToString("refused, denied: com.foo.Bank#transfer for zhejiang/shop from 10.0.0.1");
        });
        assertThat(log.toString(StandardCharsets.UTF_8))
                .contains("guard listener")
                .contains("broken", "missing");
    }

    @Test
    void logsSeldom_thatAListenerFailsForEachCall() {
        GuardListener broken = event -> {
            throw new IllegalStateException("broken");
        };
        Listeners<GuardListener> listeners = new Listeners<>("guard listener", List.of(broken));
        GuardEvent event = new GuardEvent(Result.REFUSED, "denied", "com.foo.Bank", "transfer", null, null, null, null);
        for (int i = 0; i < 1_000; i++) {
            reports.report(event, null, listeners);
        }

        assertThat(log.toString(StandardCharsets.UTF_8).lines())
                .filteredOn(line -> line.contains("guard listener"))
                .hasSize(1);
    }
}
