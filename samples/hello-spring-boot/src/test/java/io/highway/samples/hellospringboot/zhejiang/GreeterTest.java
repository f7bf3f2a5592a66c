// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.hellospringboot.zhejiang;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.samples.hellospringboot.GreetingService;
import io.highway.sdk.test.HighwayTest;
import io.highway.sdk.test.Islands;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

@SpringBootTest(classes = ZhejiangApplication.class, properties = "spring.config.location=classpath:/zhejiang/")
@HighwayTest(islands = "shanghai")
@Import(GreeterTest.Shanghai.class)
class GreeterTest {

    /** The application calls shanghai while it starts. */
    static class Shanghai {

        @Autowired
        void serves(Islands islands) {
            islands.at("shanghai").serves(GreetingService.class, name -> "Hello " + name);
        }
    }

    @Test
    void greetsShanghai(Islands islands) {
        assertThat(islands.at("shanghai").calls(GreetingService.class))
                .singleElement()
                .satisfies(call -> {
                    assertThat(call.arguments()).containsExactly("zhejiang");
                    assertThat(call.caller()).hasToString("zhejiang/hello");
                });
    }
}
