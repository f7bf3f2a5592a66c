// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayContext;
import io.highway.sdk.HighwayScope;
import io.highway.sdk.dubbo.Reason;
import java.time.Duration;
import org.apache.dubbo.rpc.model.ScopeModelInitializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@HighwayTest(islands = "shanghai")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LifecycleTest {

    private final Islands ofClass;
    private SmsService kept;

    LifecycleTest(Islands islands) {
        this.ofClass = islands;
    }

    @BeforeAll
    void keep(SmsService reference) {
        kept = reference;
    }

    @BeforeEach
    void serve(Islands islands) {
        assertThat(islands).isSameAs(ofClass);
        islands.at("shanghai").serves(SmsService.class, text -> "outer");
    }

    @Test
    void callsOnce() {
        assertThat(kept.send("a")).isEqualTo("outer");
        assertThat(ofClass.at("shanghai").calls()).hasSize(1);
    }

    @Test
    void callsOnceAgain() {
        callsOnce();
    }

    @Test
    void refusesToRun_besideAnotherTest() {
        assertThatThrownBy(() -> ofClass.begin("other"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("refusesToRun_besideAnotherTest", "other", "@Execution");
        ofClass.end("other");
        assertThatThrownBy(() -> ofClass.begin("other")).isInstanceOf(IllegalStateException.class);
    }

    /** The application alone connects again up to 200 ms later. */
    @Test
    void recoversAtOnce(SmsService sms) {
        TestIsland shanghai = ofClass.at("shanghai");

        assertTimeout(Duration.ofSeconds(2), () -> {
            for (int i = 0; i < 20; i++) {
                shanghai.isDown();
                assertThat(FaultsTest.failure(sms).reason()).isEqualTo(Reason.GATEWAY_DOWN);
                shanghai.recovers();
            }
        });
    }

    /** Else Dubbo copies each line of its lists for each listener. */
    @Test
    void readsTrustedClasses_beforeAnythingListens() {
        assertThat(ofClass.application()
                        .getFrameworkModel()
                        .getExtensionLoader(ScopeModelInitializer.class)
                        .getSupportedExtensionInstances())
                .first()
                .isInstanceOf(TrustedClasses.class);
    }

    /** Else a connection may take the port before a provider listens on it. */
    @Test
    void choosesPorts_belowThoseOfConnections() {
        assertThat(Relay.freePort()).isLessThan(32_768);
    }

    @Test
    void failsATest_thatLeavesAScopeOpen() {
        HighwayContext before = HighwayContext.capture();
        HighwayScope left = Highway.to("shanghai").open();

        assertThatThrownBy(() -> HighwayTestExtension.requireClosedScopes(before))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("close what Highway.to(..).open() returns");

        assertThat(HighwayContext.capture().isEmpty()).isTrue();
        left.close();
    }

    @Nested
    class Inner {

        @Test
        void servesAnother(Islands islands, SmsService reference) {
            assertThat(reference.send("a")).isEqualTo("outer");
            islands.at("shanghai").serves(SmsService.class, text -> "inner");

            assertThat(kept.send("a")).isEqualTo("inner");
            assertThat(islands.at("shanghai").calls()).hasSize(2);
        }
    }
}
