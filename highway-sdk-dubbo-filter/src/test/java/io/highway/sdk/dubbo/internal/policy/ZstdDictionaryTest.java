// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.highway.sdk.dubbo.internal.network.compression.TrainedDictionary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZstdDictionaryTest {

    @TempDir
    private static Path folder;

    private static Path trained;

    @BeforeAll
    static void train() {
        trained = TrainedDictionary.write(folder.resolve("orders.dict"), 0);
    }

    private static Policy policy(String... keys) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("highway.island", "zhejiang");
        all.put("highway.gateways.triple", "gateway.zhejiang.test:1");
        for (int i = 0; i < keys.length; i += 2) {
            all.put("highway." + keys[i], keys[i + 1]);
        }
        return PolicyParser.parse(RawSettings.of(all, "test"), "static", null).orElseThrow();
    }

    private static ZstdDictionary of(Path file) {
        return policy(
                        "dictionaries.orders",
                        "file:" + file,
                        "islands.shanghai.compression",
                        "zstd",
                        "islands.shanghai.dictionary",
                        "orders")
                .forIsland("shanghai")
                .wire()
                .dictionary();
    }

    @Test
    void isComparedByItsContent() throws IOException {
        Path copy = Files.copy(trained, folder.resolve("copy.dict"));

        assertThat(of(trained).encoding()).matches("zstd-[0-9a-f]{32}");
        assertThat(of(copy)).isEqualTo(of(trained));
        Files.write(copy, new byte[1], java.nio.file.StandardOpenOption.APPEND);
        assertThat(of(copy)).isNotEqualTo(of(trained));
        assertThat(policy("islands.shanghai.retries", "0")
                        .forIsland("shanghai")
                        .wire()
                        .dictionary())
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "orders.dict", "file:"})
    void refusesOtherFiles(String value) {
        assertThatThrownBy(() -> policy("dictionaries.orders", value))
                .hasMessageContaining("highway.dictionaries.orders: \"" + value + "\" is not allowed")
                .hasMessageContaining("file:<path>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "none", "Orders", "a.b"})
    void refusesOtherNames(String name) {
        assertThatThrownBy(() -> policy("dictionaries." + name, "file:" + trained))
                .hasMessageContaining("highway.dictionaries." + name + ": the name is missing");
    }

    @Test
    void isChosenByItsName() {
        assertThatThrownBy(() -> policy(
                        "dictionaries.orders",
                        "file:" + trained,
                        "islands.shanghai.compression",
                        "zstd",
                        "islands.shanghai.dictionary",
                        "order"))
                .hasMessageContaining("highway.islands.shanghai.dictionary: \"order\" is not allowed")
                .hasMessageContaining("Did you mean \"orders\"?");
        assertThatThrownBy(() -> policy("islands.shanghai.dictionary", "file:" + trained))
                .hasMessageContaining("Write highway.dictionaries.<name>=file:<path> statically");
    }

    @Tag("network") // a process
    @Test
    void readsNothingButRegularFiles() throws Exception {
        Path fifo = folder.resolve("fifo");
        assumeTrue(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor() == 0);

        assertThatThrownBy(() -> of(fifo)).hasMessageContaining("is not a regular file");
        assertThatThrownBy(() -> of(Path.of("/dev/zero"))).hasMessageContaining("is not a regular file");
    }

    @Test
    void refusesFilesThatAreNone() throws IOException {
        Path text = Files.writeString(folder.resolve("text"), "a text of some length");
        Path large = Files.write(folder.resolve("large"), Arrays.copyOf(Files.readAllBytes(trained), 1024 * 1024 + 1));

        assertThatThrownBy(() -> of(text)).hasMessageContaining("is no trained zstd dictionary");
        assertThatThrownBy(() -> of(large)).hasMessageContaining("more than 1048576 bytes");
        assertThatThrownBy(() -> of(folder.resolve("missing")))
                .hasMessageContaining("cannot be read")
                .hasMessageContaining("missing");
        assertThatThrownBy(() -> of(folder)).hasMessageContaining("cannot be read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip"})
    void needsZstd(String compression) {
        assertThatThrownBy(() -> policy(
                        "dictionaries.orders",
                        "file:" + trained,
                        "islands.shanghai.compression",
                        compression,
                        "islands.shanghai.dictionary",
                        "orders"))
                .hasMessageContaining("highway.islands.shanghai.dictionary")
                .hasMessageContaining("only zstd has dictionaries");
    }

    @Test
    void belongsToOneIsland() {
        assertThatThrownBy(() -> policy("defaults.dictionary", "none"))
                .hasMessageContaining("highway.defaults.dictionary");
        assertThatThrownBy(() -> policy(
                        "defaults.compression",
                        "zstd",
                        "dictionaries.orders",
                        "file:" + trained,
                        "dictionaries.copy",
                        "file:" + trained,
                        "islands.shanghai.dictionary",
                        "orders",
                        "islands.beijing.dictionary",
                        "copy"))
                .hasMessageContaining("Train one for each island");
    }
}
