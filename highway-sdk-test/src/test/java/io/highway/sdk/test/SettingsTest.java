// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Mistakes in the settings of a test. */
class SettingsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "higway.defaults.timeout",
                "islands.shanghai.fallback",
                "shanghai.highway.guard.mode",
                "shanghai: highway.guard.mode",
                "highway.island"
            })
    void refusesAKey_thatNothingReads(String key) {
        String[] properties = {key + "=value"};

        assertThatThrownBy(() -> HighwayTestExtension.builder("home", new String[] {"shanghai"}, false, properties))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("properties: \"")
                .hasMessageContaining("is not allowed; ");
    }

    /** A gateway that leads to the wrong island. */
    @Test
    void allowsProviders_thatAreAnotherIsland() {
        try (Islands islands = Islands.builder()
                .islands("shanghai")
                .property("shanghai", "highway.island", "beijing")
                .start()) {
            islands.at("shanghai").serves(SmsService.class, text -> "ok");

            assertThat(FaultsTest.failure(islands.reference(SmsService.class))).hasMessageContaining("wrong-island");
        }
    }

    @ParameterizedTest
    @CsvSource({"highway.islands.shanghia.fallback=home", "shanghia:highway.guard.mode=off"})
    void refusesAnUndeclaredIsland(String property) {
        Islands.Builder builder =
                HighwayTestExtension.builder("home", new String[] {"shanghai"}, false, new String[] {property});

        assertThatThrownBy(builder::start)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("properties: island \"shanghia\" is not declared; the test has [home, shanghai]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shanghai,beijing", "Shanghai", "shanghai ", ""})
    void refusesWhatIsNoIsland(String name) {
        assertThatThrownBy(() -> Islands.builder().islands(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Islands.builder().home(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesFaults_thatCannotBe() {
        try (Islands islands = Islands.builder().islands("shanghai").start()) {
            TestIsland shanghai = islands.at("shanghai");
            Duration past = Duration.ofSeconds(-1);

            assertThatThrownBy(() -> shanghai.delays(past)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> islands.advance(past)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> islands.home().breakerOpen())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("home has none");
            assertThatThrownBy(() -> shanghai.serves(SmsService.class, null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(SmsService.class.getName());
        }
    }

    @Test
    void isDown_whereTheSdkIsOff() {
        try (Islands islands = Islands.builder()
                .islands("shanghai")
                .property("highway.enabled", "false")
                .start()) {
            islands.home().serves(SmsService.class, text -> "home");
            islands.at("shanghai").isDown().recovers();

            assertThat(islands.reference(SmsService.class).send("a")).isEqualTo("home");
        }
    }
}
