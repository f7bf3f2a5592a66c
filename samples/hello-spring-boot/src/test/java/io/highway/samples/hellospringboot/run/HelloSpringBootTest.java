// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.hellospringboot.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("network")
class HelloSpringBootTest {

    @Test
    @Timeout(120)
    void theCallReachesShanghai_overTheGateways() throws Exception {
        assertThat(HelloSpringBoot.run(Path.of("target", "hello-spring-boot-test")))
                .containsExactly("Hello zhejiang, this is shanghai");
        assertThat(ProcessHandle.current().children()).isEmpty();
    }
}
