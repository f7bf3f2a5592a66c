// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.highway.sdk.internal.Texts;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class IslandIdTest {

    static Stream<String> valid() {
        return Stream.of(
                "a", "z", "0", "9", "shanghai", "31", "sh-31", "a-b-c", "a--b", "xn--fiq228c", "9a", "a".repeat(63));
    }

    static Stream<String> invalid() {
        return Stream.of(
                "",
                " ",
                "Shanghai",
                "shanghaI",
                "a".repeat(64),
                "-shanghai",
                "shanghai-",
                "-",
                " shanghai",
                "shanghai ",
                "shang hai",
                "shang\thai",
                "shang\rhai",
                "shang\nhai",
                "shanghai\r\nhighway-from: beijing",
                "shang\u0000hai",
                "shang\u007fhai",
                "上海",
                "shanghaï",
                "shang\u0430hai", // a Cyrillic letter that looks like an a
                "٣١", // digits, but not ASCII
                "shang.hai",
                "shang/hai",
                "shang_hai",
                "shang:hai",
                "*",
                "31*");
    }

    @ParameterizedTest
    @MethodSource("valid")
    void takesADnsLabelInLowerCase(String id) {
        assertThat(IslandId.isValid(id)).isTrue();
        assertThat(IslandId.requireValid("island", id)).isSameAs(id);
    }

    @ParameterizedTest
    @NullSource
    @MethodSource("invalid")
    void findsAnythingElseInvalid(String id) {
        assertThat(IslandId.isValid(id)).isFalse();
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void refusesAnythingElse_inPrintableAscii(String id) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IslandId.requireValid("island", id))
                .satisfies(e -> assertThat(e.getMessage()).isEqualTo(Texts.islandProblem("island", id)))
                .satisfies(e -> assertThat(e.getMessage()).matches("[ -~]+"));
    }

    @Test
    void namesTheSource_theValue_andWhatIsAllowed() {
        String problem = Texts.islandProblem("attachment", "Shang\r\nhai 上");

        assertThat(problem)
                .isEqualTo("attachment: \"Shang\\u000d\\u000ahai \\u4e0a\" is not an island id; allowed are 1 to 63"
                        + " lower-case letters, digits and inner hyphens, such as \"shanghai\"");
    }

    @Test
    void namesTheArgument_whenTheIdIsNull() {
        assertThatNullPointerException()
                .isThrownBy(() -> IslandId.requireValid("island", null))
                .withMessage("island");
        assertThatNullPointerException()
                .isThrownBy(() -> IslandId.requireValid(null, "shanghai"))
                .withMessage("what");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "shanghai", "Shang Hai!~"})
    void showsPrintableAsciiAsItIs(String text) {
        assertThat(Texts.printable(text)).isEqualTo(text);
    }

    @Test
    void escapesEverythingElse() {
        assertThat(Texts.printable("\u0000\t\u007f\u0080é上😀"))
                .isEqualTo("\\u0000\\u0009\\u007f\\u0080\\u00e9\\u4e0a\\ud83d\\ude00");
    }

    @Test
    void shortensLongText_andNamesItsLength() {
        assertThat(Texts.printable("a".repeat(80))).isEqualTo("a".repeat(80));
        assertThat(Texts.printable("a".repeat(81))).isEqualTo("a".repeat(80) + "... (81 characters)");
        assertThat(Texts.islandProblem("island", "a".repeat(10_000))).hasSizeLessThan(300);
    }
}
