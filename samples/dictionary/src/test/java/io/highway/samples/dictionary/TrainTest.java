// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.dictionary;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class TrainTest {

    private static final Pattern RATIO =
            Pattern.compile("ratio +([0-9.]+) by zstd alone, ([0-9.]+) with the dictionary");

    @TempDir
    private Path folder;

    private final StringWriter printed = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @Test
    @Tag("network")
    void gainsMuchForMessagesThatTheGatewayRecorded() throws Exception {
        Path recorded = folder.resolve("recorded");
        try (Shop shop = new Shop(recorded)) {
            shop.call(800);
        }

        int code = train("--messages", recorded.resolve("shanghai").toString(), "--output", output().toString());

        assertThat(errors.toString()).isEmpty();
        assertThat(code).isZero();
        byte[] dictionary = Files.readAllBytes(output());
        String sha256 =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(dictionary));
        assertThat(dictionary).startsWith(0x37, 0xa4, 0x30, 0xec).hasSizeLessThanOrEqualTo(16 << 10);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(output())))
                .isEqualTo("rw-------");
        assertThat(printed.toString())
                .contains("messages    1600, of which 1600 are different")
                .contains("held out    320 messages")
                .contains("encoding    zstd-" + sha256.substring(0, 32))
                .contains("highway.dictionaries.<name>=file:" + output())
                .contains("highway.islands.<caller>.compression=auto");
        Matcher ratio = RATIO.matcher(printed.toString());
        assertThat(ratio.find()).isTrue();
        assertThat(Double.parseDouble(ratio.group(2))).isGreaterThan(1.5 * Double.parseDouble(ratio.group(1)));
        assertThat(inflated("{\"currency\":\"CNY\"}", dictionary)).isEqualTo("{\"currency\":\"CNY\"}");
    }

    private static String inflated(String text, byte[] dictionary) {
        try (ZstdCompressCtx compress = new ZstdCompressCtx();
                ZstdDecompressCtx inflate = new ZstdDecompressCtx()) {
            byte[] plain = text.getBytes(StandardCharsets.UTF_8);
            byte[] compressed = compress.loadDict(dictionary).compress(plain);
            return new String(
                    inflate.loadDict(dictionary).decompress(compressed, plain.length), StandardCharsets.UTF_8);
        }
    }

    @Test
    void makesTheSameOfTheSameMessages() throws Exception {
        write(500, 400);
        Path second = folder.resolve("second.dict");

        train("--messages", messages(), "--output", output().toString(), "--size", "4KB");
        train("--messages", messages(), "--output", second.toString(), "--size", "4KB");

        assertThat(errors.toString()).isEmpty();
        assertThat(output()).hasSameBinaryContentAs(second);
        assertThat(Files.size(second)).isLessThanOrEqualTo(4 << 10);
    }

    @Test
    void saysThatItGainsTooLittle_forRandomBytes() throws Exception {
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            byte[] bytes = new byte[1200];
            random.nextBytes(bytes);
            write(i, bytes);
        }

        train("--messages", messages(), "--output", output().toString());

        assertThat(printed + errors.toString())
                .containsAnyOf("The dictionary gains too little: do not use it.", "zstd finds no dictionary in");
    }

    @Test
    void namesTheDirectory_thatIsMissingOrEmpty() throws Exception {
        assertError("--messages: '" + messages() + "' is no directory; write the one of an island");
        Files.createDirectories(Path.of(messages()));
        assertError("--messages: no messages in '" + messages() + "'; record some");
    }

    @Test
    void wantsMoreDifferentMessages() throws Exception {
        write(99, 1000);
        write(500, "the same".getBytes(StandardCharsets.UTF_8));
        write(501, "the same".getBytes(StandardCharsets.UTF_8));
        Files.delete(Path.of(messages(), "98"));

        assertError("--messages: only 99 different messages of 100 in '" + messages() + "'; record at least 100");
    }

    @Test
    void wantsMoreBytesThanTheDictionaryHas() throws Exception {
        write(200, 100);

        assertError(
                "--messages: the messages for the training have 16000 bytes, and a dictionary of 16KB needs 10 times its"
                        + " size; record more, or write a smaller --size");
    }

    @Test
    void keepsAFileThatExists() throws Exception {
        write(500, 400);
        Files.writeString(output(), "in use");

        assertError("--output: '" + output() + "' exists; write a new file");
        assertThat(output()).hasContent("in use");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0KB", "1025KB", "16", "16kb", "2MB"})
    void namesTheSize_thatIsNotAllowed(String size) throws Exception {
        assertError("--size: '" + size + "' given; allowed: 1KB to 1024KB, such as 16KB", "--size", size);
    }

    private void assertError(String message, String... more) throws Exception {
        errors.getBuffer().setLength(0);
        List<String> arguments = new ArrayList<>(List.of("--messages", messages(), "--output", output().toString()));
        arguments.addAll(List.of(more));

        assertThat(train(arguments.toArray(new String[0]))).isEqualTo(2);

        assertThat(errors.toString()).startsWith(message);
        assertThat(printed.toString()).isEmpty();
    }

    private int train(String... arguments) {
        return new CommandLine(new Train())
                .setOut(new PrintWriter(printed, true))
                .setErr(new PrintWriter(errors, true))
                .execute(arguments);
    }

    private Path output() {
        return folder.resolve("shanghai.dict");
    }

    private String messages() {
        return folder.resolve("messages").toString();
    }

    /** Different messages of one form. */
    private void write(int count, int bytes) throws Exception {
        Random random = new Random(7);
        for (int i = 0; i < count; i++) {
            StringBuilder text = new StringBuilder();
            while (text.length() < bytes) {
                text.append("{\"number\":").append(random.nextInt(1_000_000)).append(",\"currency\":\"CNY\"}");
            }
            write(i, text.substring(0, bytes).getBytes(StandardCharsets.UTF_8));
        }
    }

    private void write(int name, byte[] message) throws Exception {
        Files.createDirectories(Path.of(messages()));
        Files.write(Path.of(messages(), String.valueOf(name)), message);
    }
}
