// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.hello;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.test.HighwayTest;
import io.highway.sdk.test.Islands;
import org.junit.jupiter.api.Test;

@HighwayTest(home = "zhejiang", islands = "shanghai")
class GreetingTest {

    @Test
    void isNotSent_whenShanghaiIsDown(Islands islands, GreetingService greetings) {
        islands.at("shanghai").serves(GreetingService.class, name -> "Hello " + name);
        assertThat(greetings.greet("zhejiang")).isEqualTo("Hello zhejiang");

        islands.at("shanghai").isDown();

        assertThatThrownBy(() -> greetings.greet("zhejiang"))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.mayHaveRun()).isFalse());
    }
}
