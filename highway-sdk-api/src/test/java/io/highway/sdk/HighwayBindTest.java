// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HighwayBindTest {

    /** Answers where the call would go. */
    interface Compass {

        String point(String item) throws IOException;

        default String pointTwice(String item) throws IOException {
            return point(item) + " " + point(item);
        }
    }

    private final Compass compass =
            item -> item + " to " + HighwayContext.capture().route();
    private final Compass shanghai = Highway.to("shanghai").bind(Compass.class, compass);

    @AfterEach
    void noScopeIsLeftOpen() {
        assertThat(HighwayContext.capture().route()).isNull();
    }

    @Test
    void goesToItsRoute_whateverScopeIsOpen() throws IOException {
        assertThat(shanghai.point("tea")).isEqualTo("tea to shanghai");
        assertThat(Highway.to("beijing").callChecked(() -> shanghai.point("tea")))
                .isEqualTo("tea to shanghai");
        assertThat(Highway.home().callChecked(() -> shanghai.point("tea"))).isEqualTo("tea to shanghai");
        assertThat(shanghai.pointTwice("tea")).isEqualTo("tea to shanghai tea to shanghai");
    }

    @Test
    void staysHome_whenBoundToHome() throws IOException {
        Compass home = Highway.home().bind(Compass.class, compass);

        assertThat(Highway.to("beijing").callChecked(() -> home.point("tea"))).isEqualTo("tea to home");
    }

    @Test
    void restoresTheScopeAround() throws IOException {
        HighwayRoute after = Highway.to("beijing").callChecked(() -> {
            shanghai.point("tea");
            return HighwayContext.capture().route();
        });

        assertThat(after).isEqualTo(Highway.to("beijing"));
    }

    @Test
    void takesTheInnerRoute_whenBoundTwice() throws IOException {
        Compass twice = Highway.to("beijing").bind(Compass.class, shanghai);

        assertThat(twice.point("tea")).isEqualTo("tea to shanghai");
    }

    @Test
    void throwsWhatTheServiceThrows() {
        IOException checked = new IOException("checked");
        IllegalStateException unchecked = new IllegalStateException("unchecked");
        Error error = new AssertionError("error");
        Compass first = Highway.to("shanghai").bind(Compass.class, item -> {
            throw checked;
        });
        Compass second = Highway.to("shanghai").bind(Compass.class, item -> {
            throw unchecked;
        });
        Compass third = Highway.to("shanghai").bind(Compass.class, item -> {
            throw error;
        });

        assertThatThrownBy(() -> first.point("tea")).isSameAs(checked);
        assertThatThrownBy(() -> second.point("tea")).isSameAs(unchecked);
        assertThatThrownBy(() -> third.point("tea")).isSameAs(error);
    }

    @Test
    void isEqualToItselfOnly_andCanBeAKey() {
        Compass same = Highway.to("shanghai").bind(Compass.class, compass);
        Map<Compass, String> names = new HashMap<>(Map.of(shanghai, "first"));

        assertThat(shanghai).isEqualTo(shanghai).isNotEqualTo(same).isNotEqualTo(compass);
        assertThat(shanghai.equals(null)).isFalse();
        assertThat(shanghai).hasSameHashCodeAs(shanghai);
        assertThat(names).containsEntry(shanghai, "first").doesNotContainKey(same);
    }

    @Test
    void namesTypeAndRoute() {
        assertThat(shanghai).hasToString(Compass.class.getName() + " bound to shanghai");
        assertThat(Highway.home().bind(Compass.class, compass)).hasToString(Compass.class.getName() + " bound to home");
    }

    @Test
    void refusesAClass_andNamesWhatToBind() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Highway.to("shanghai").bind(String.class, "tea"))
                .withMessage("type: java.lang.String is not an interface; bind the service's interface, such as"
                        + " SmsService.class");
    }

    @Test
    void namesTheArgument_whenItIsNull() {
        assertThatNullPointerException()
                .isThrownBy(() -> Highway.home().bind(null, compass))
                .withMessage("type");
        assertThatNullPointerException()
                .isThrownBy(() -> Highway.home().bind(Compass.class, null))
                .withMessage("service");
    }
}
