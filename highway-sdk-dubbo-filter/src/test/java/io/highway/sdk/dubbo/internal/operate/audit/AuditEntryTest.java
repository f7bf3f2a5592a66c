// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.highway.sdk.dubbo.internal.operate.audit.AuditEntry.Crossing;
import io.highway.sdk.dubbo.internal.operate.audit.AuditEntry.Direction;
import io.highway.sdk.dubbo.internal.operate.audit.AuditEntry.End;
import io.highway.sdk.dubbo.internal.operate.audit.AuditEntry.From;
import io.highway.sdk.dubbo.internal.operate.audit.AuditEntry.To;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A line is one line of JSON, whatever a caller names itself and its method. */
class AuditEntryTest {

    private static String line(String method) {
        Crossing crossing = new Crossing(
                Direction.IN,
                new From("zhejiang", method, "application", "zhejiang-2026", "shop team"),
                new To("shanghai", "beijing", "com.foo.SmsService", method, "blue", "1.0.0"),
                "serve",
                "orders",
                "static");
        End end = new End("delivered", "busy", true, "home", "java.lang.Error", 12, 34);
        return new AuditEntry(
                        crossing, 1_795_413_603_000L, "0af7651916cd43dd8448eb211c80319c", "dubbo", "10.0.0.1", end)
                .json();
    }

    @Test
    void hasEveryField() {
        assertThat(line("send"))
                .isEqualTo("{\"time\":\"2026-11-23T06:00:03.000Z\",\"event\":\"end\",\"direction\":\"in\","
                        + "\"trace\":\"0af7651916cd43dd8448eb211c80319c\","
                        + "\"from\":{\"island\":\"zhejiang\",\"application\":\"send\",\"verified\":\"application\","
                        + "\"key\":\"zhejiang-2026\",\"owner\":\"shop team\"},"
                        + "\"to\":{\"island\":\"shanghai\",\"asked\":\"beijing\",\"service\":\"com.foo.SmsService\",\"method\":\"send\","
                        + "\"group\":\"blue\",\"version\":\"1.0.0\"},"
                        + "\"decision\":\"serve\",\"rule\":\"orders\",\"policy\":\"static\",\"tunnel\":\"dubbo\","
                        + "\"gateway\":\"10.0.0.1\",\"outcome\":\"delivered\",\"reason\":\"busy\",\"sent\":true,"
                        + "\"fallback\":\"home\",\"exception\":\"java.lang.Error\",\"bytes\":12,\"millis\":34}");
    }

    @Test
    void leavesOutWhatIsUnknown() {
        Crossing crossing = new Crossing(
                Direction.OUT,
                From.UNKNOWN,
                new To(null, null, "com.foo.SmsService", "send", null, null),
                "tunnel",
                null,
                "static");

        assertThat(new AuditEntry(crossing, 0, null, null, null, null).json())
                .isEqualTo("{\"time\":\"1970-01-01T00:00:00.000Z\",\"event\":\"start\",\"direction\":\"out\","
                        + "\"from\":{},\"to\":{\"service\":\"com.foo.SmsService\",\"method\":\"send\"},"
                        + "\"decision\":\"tunnel\",\"policy\":\"static\"}");
        assertThat(new AuditEntry(crossing, 0, null, null, null, new End("refused", null, false, null, null, -1, 0))
                        .json())
                .endsWith(",\"outcome\":\"refused\",\"sent\":false,\"millis\":0}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a\"b",
                "a\\",
                "a\\\"",
                "a\nb\r\n{\"direction\":\"in\"}",
                "\u0000\u0007\u001b[31m\u007f\u0085\u2028\u2029",
                "上海",
                "😀",
                "${jndi:ldap://127.0.0.1/a}",
                "$invoke",
                "a$",
                "},\"sent\":false,{"
            })
    void survivesEveryName(String name) {
        String line = line(name);

        assertThat(line).matches("[ -~]+").doesNotContain("${");
        JsonNode parsed = AuditTrail.parsed(line);
        assertThat(parsed.get("to").get("method").asText()).isEqualTo(name);
        assertThat(parsed.get("from").get("application").asText()).isEqualTo(name);
        assertThat(parsed.get("sent").asBoolean()).isTrue();
        assertThat(parsed).hasSameSizeAs(AuditTrail.parsed(line("send")));
    }

    @Test
    void replacesUnpairedSurrogates() {
        assertThat(AuditTrail.parsed(line("a\ud800b")).get("to").get("method").asText())
                .isEqualTo("a\ufffdb");
        assertThat(AuditTrail.parsed(line("\udc00\ud800"))
                        .get("to")
                        .get("method")
                        .asText())
                .isEqualTo("\ufffd\ufffd");
    }

    @Test
    void cutsLongNames() {
        String method = AuditTrail.parsed(line("\"".repeat(1_000_000)))
                .get("to")
                .get("method")
                .asText();

        assertThat(method).hasSize(AuditEntry.MOST_CHARACTERS + 3).endsWith("\"...");
    }

    /** Half of a pair at the cut is no text either. */
    @Test
    void cutsBetweenCharacters() {
        String method = AuditTrail.parsed(line("😀".repeat(400) + "a"))
                .get("to")
                .get("method")
                .asText();
        String shifted = AuditTrail.parsed(line("a" + "😀".repeat(400)))
                .get("to")
                .get("method")
                .asText();

        assertThat(method).isEqualTo("😀".repeat(AuditEntry.MOST_CHARACTERS / 2) + "...");
        assertThat(shifted).endsWith("😀\ufffd...");
    }

    @Test
    void isReadByJackson_whateverTheName() {
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            StringBuilder name = new StringBuilder();
            for (int j = random.nextInt(40); j > 0; j--) {
                int kind = random.nextInt(4);
                name.append((char) (kind == 0 ? random.nextInt(32) : random.nextInt(kind == 1 ? 128 : 65_536)));
            }
            String read = AuditTrail.parsed(line(name.toString()))
                    .get("to")
                    .get("method")
                    .asText();

            assertThat(read).isEqualTo(withoutUnpaired(name.toString()));
        }
    }

    /** The table of docs/operate/audit.md has every field, in its order, and no other. */
    @Test
    void isDocumented() throws IOException {
        String page = Files.readString(Path.of("").toAbsolutePath().getParent().resolve("docs/operate/audit.md"));
        List<String> documented = Pattern.compile("(?m)^\\| `([a-z.]+)` \\| (both|out|in) \\|")
                .matcher(page)
                .results()
                .map(row -> row.group(1))
                .toList();
        List<String> fields = new ArrayList<>();
        AuditTrail.parsed(line("send")).properties().forEach(field -> {
            if (field.getValue().isObject()) {
                field.getValue().fieldNames().forEachRemaining(inner -> fields.add(field.getKey() + "." + inner));
            } else {
                fields.add(field.getKey());
            }
        });

        assertThat(documented).isEqualTo(fields);
        assertThat(page)
                .contains("longer than " + AuditEntry.MOST_CHARACTERS + " characters")
                .contains(String.format(Locale.ROOT, "%,d places", AuditLog.CAPACITY));
    }

    private static String withoutUnpaired(String text) {
        return Pattern.compile("[\ud800-\udfff]").matcher(text).replaceAll("\ufffd"); // matches no half of a pair
    }
}
