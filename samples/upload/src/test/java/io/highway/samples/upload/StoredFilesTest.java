// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredFilesTest {

    @TempDir
    private Path folder;

    private StoredFiles files;
    private String sha256;

    @BeforeEach
    void create() throws Exception {
        Path original = Files.writeString(folder.resolve("original"), "0123456789");
        sha256 = Checksum.of(original);
        files = new StoredFiles(folder);
    }

    private long append(int offset, String content) {
        return files.append(new FilePart(sha256, offset, content.getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void continuesWhereItEnded_andLeavesOutWhatItHas() throws Exception {
        assertThat(files.stored(sha256)).isZero();
        assertThat(append(0, "0123")).isEqualTo(4);
        assertThat(append(0, "0123")).isEqualTo(4);
        assertThat(append(2, "2345")).isEqualTo(6);
        assertThat(new StoredFiles(folder).stored(sha256)).isEqualTo(6);
        assertThat(append(6, "6789")).isEqualTo(10);

        assertThat(files.finish(sha256)).isTrue();
        assertThat(files.finish(sha256)).isTrue();
        assertThat(folder.resolve(sha256)).hasContent("0123456789");
        assertThat(files.stored(sha256)).isEqualTo(10);
        assertThat(append(6, "6789")).isEqualTo(10);
    }

    @Test
    void refusesAGap_andNamesThatLeadElsewhere() {
        append(0, "01");

        assertThatIllegalArgumentException().isThrownBy(() -> append(3, "3"));
        assertThatIllegalArgumentException().isThrownBy(() -> append(-1, "3"));
        assertThatIllegalArgumentException().isThrownBy(() -> files.stored("../original"));
        assertThat(files.stored(sha256)).isEqualTo(2);
    }

    @Test
    void deletesWhatHasAnotherChecksum() {
        append(0, "0123456780");

        assertThat(files.finish(sha256)).isFalse();
        assertThat(files.stored(sha256)).isZero();
        assertThat(files.finish(sha256)).isFalse();
    }
}
