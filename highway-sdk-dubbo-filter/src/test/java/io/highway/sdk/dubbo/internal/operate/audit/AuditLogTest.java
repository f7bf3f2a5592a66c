// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.dubbo.internal.operate.audit.AuditEntry.Crossing;
import io.highway.sdk.dubbo.internal.operate.audit.AuditEntry.Direction;
import io.highway.sdk.dubbo.internal.operate.audit.AuditEntry.From;
import io.highway.sdk.dubbo.internal.operate.audit.AuditEntry.To;
import io.highway.sdk.dubbo.internal.operate.audit.AuditLog.Reservation;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A reserved line is written, whatever the logging system does; lines without a place are counted. */
class AuditLogTest {

    private static FrameworkModel framework;
    private static ApplicationModel application;

    @BeforeAll
    static void start() {
        framework = new FrameworkModel();
        application = framework.newApplication();
    }

    @AfterAll
    static void stop() {
        framework.destroy();
    }

    private static AuditEntry line(String method) {
        return new AuditEntry(
                new Crossing(
                        Direction.OUT,
                        new From("zhejiang", "shop", null, null, null),
                        new To("shanghai", null, "com.foo.SmsService", method, null, null),
                        "tunnel",
                        null,
                        "static"),
                0,
                null,
                null,
                null,
                null);
    }

    @Test
    void writesReservedLines_andCountsOthers_whileTheLoggerIsStuck() {
        try (AuditTrail trail = new AuditTrail()) {
            trail.stick();
            AuditLog log = new AuditLog(application, 10);
            List<Reservation> reserved = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                reserved.add(log.reserve(1, null, true));
            }

            assertThat(reserved).doesNotContainNull();
            assertThat(log.reserve(1, null, true)).isNull();
            assertThat(log.reserve(2, null, true)).isNull();
            assertThat(log.lost()).isEqualTo(3);
            reserved.forEach(place -> place.write(line("send"))); // returns, though nothing is written
            assertThat(log.reserve(1, null, true))
                    .as("a line that waits keeps its place")
                    .isNull();

            trail.release();
            await().atMost(Duration.ofSeconds(20)).until(() -> trail.lines().size() == 10);
            await().atMost(Duration.ofSeconds(20)).until(() -> {
                Reservation free = log.reserve(10, null, true);
                return free != null;
            });
            log.close();
        }
    }

    @Test
    void writesWhatIsLeft_beforeItIsClosed_andWhatComesLater() {
        try (AuditTrail trail = new AuditTrail()) {
            AuditLog log = new AuditLog(application, 5_000);
            List<Reservation> reserved = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                reserved.add(log.reserve(1, null, true));
            }
            Reservation inFlight = reserved.remove(0);
            reserved.forEach(place -> place.write(line("send")));

            log.close();
            assertThat(trail.lines()).hasSize(4_999);

            inFlight.write(line("late"));
            trail.awaitLine(line -> line.get("to").get("method").asText().equals("late"));
            assertThat(log.lost()).isZero();
        }
    }

    @Test
    void leavesPlacesToOtherCallers_whenOneHoldsItsShare() {
        try (AuditTrail trail = new AuditTrail()) {
            AuditLog log = new AuditLog(application, 20);
            List<Reservation> shop = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                shop.add(log.reserve(1, "zhejiang/shop", true));
            }

            assertThat(shop).doesNotContainNull();
            assertThat(log.reserve(1, "zhejiang/shop", true)).isNull();
            assertThat(log.lost()).isOne();
            assertThat(log.reserve(5, "beijing/shop", true)).isNotNull();

            shop.get(0).write(line("send"));
            await().atMost(Duration.ofSeconds(20)).until(() -> log.reserve(1, "zhejiang/shop", true) != null);
            log.close();
            assertThat(trail.lines()).hasSize(1);
        }
    }

    /** Its line is written at its end, whatever else waits. */
    @Test
    void keepsNoPlaceForAStreamThatIsIdle() {
        try (AuditTrail trail = new AuditTrail()) {
            AuditLog log = new AuditLog(application, 4);
            List<Reservation> streams = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                Reservation stream = log.reserve(1, "zhejiang/shop", true);
                stream.idle();
                streams.add(stream);
            }
            assertThat(log.reserve(4, null, true)).isNotNull();

            streams.forEach(stream -> stream.write(line("watch")));

            await().atMost(Duration.ofSeconds(20)).until(() -> trail.lines().size() == 100);
            assertThat(log.reserve(1, null, true))
                    .as("the four are still reserved")
                    .isNull();
            log.close();
        }
    }

    @Test
    void leavesPlacesToOtherCallers_whenIdleStreamsOfOneEndTogether() {
        try (AuditTrail trail = new AuditTrail()) {
            AuditLog log = new AuditLog(application, 20);
            List<Reservation> streams = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                Reservation stream = log.reserve(1, "zhejiang/shop", true);
                stream.idle();
                streams.add(stream);
            }
            trail.stick();

            streams.forEach(stream -> stream.write(line("watch")));

            assertThat(log.reserve(1, "zhejiang/shop", true)).isNull();
            assertThat(log.reserve(5, "beijing/shop", true)).isNotNull();
            trail.release();
            await().atMost(Duration.ofSeconds(20)).until(() -> trail.lines().size() == 100);
            await().atMost(Duration.ofSeconds(20)).until(() -> log.reserve(5, "zhejiang/shop", true) != null);
            assertThat(log.reserve(10, null, true)).isNotNull();
            assertThat(log.reserve(1, null, true)).as("every place is reserved").isNull();
            log.close();
        }
    }

    @Test
    void keepsTheOrderOfLines() {
        try (AuditTrail trail = new AuditTrail()) {
            AuditLog log = new AuditLog(application, 1_000);
            for (int i = 0; i < 1_000; i++) {
                log.reserve(1, null, true).write(line(String.valueOf(i)));
            }
            log.close();

            assertThat(trail.lines())
                    .extracting(line -> line.get("to").get("method").asInt())
                    .isSorted()
                    .hasSize(1_000);
        }
    }

    @Test
    void losesNoneOfManyThreads() throws InterruptedException {
        try (AuditTrail trail = new AuditTrail()) {
            AuditLog log = new AuditLog(application, 100);
            AtomicInteger written = new AtomicInteger();
            CountDownLatch done = new CountDownLatch(8);
            for (int i = 0; i < 8; i++) {
                new Thread(() -> {
                            for (int j = 0; j < 2_000; j++) {
                                Reservation place = log.reserve(1, null, true);
                                if (place != null) {
                                    place.write(line("send"));
                                    written.incrementAndGet();
                                }
                            }
                            done.countDown();
                        })
                        .start();
            }
            done.await();
            log.close();

            assertThat(trail.lines()).hasSize(written.get());
            assertThat(written.get() + log.lost()).isEqualTo(16_000);
        }
    }

    /** Dubbo adds a prefix and a suffix to what it logs. */
    @Test
    void logsTheLineAlone() {
        PrintStream before = System.err;
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        System.setErr(new PrintStream(output, true, StandardCharsets.UTF_8));
        try {
            AuditLog log = new AuditLog(application, 10);
            assertThat(log.isLogged()).isTrue();
            log.reserve(1, null, true).write(line("send"));
            log.close();
        } finally {
            System.setErr(before);
        }

        assertThat(output.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .endsWith(" INFO highway.audit - " + line("send").json());
    }
}
