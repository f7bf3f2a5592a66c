// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.upload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("network")
class UploadTest {

    @Test
    @Timeout(300)
    void arrivesUnchanged_thoughTheLinkIsCutThreeTimes() throws Exception {
        List<String> lines = Upload.run(Path.of("target", "upload-test"), 12);

        assertThat(lines).contains("50 % stored", "100 % stored");
        assertThat(lines.get(lines.size() - 2)).matches("uploaded 12582912 bytes, continued [1-9]\\d* times");
        assertThat(lines.get(lines.size() - 1)).startsWith("the link was cut 3 times, the checksums are equal: ");
        assertThat(ProcessHandle.current().children()).isEmpty();
    }
}
