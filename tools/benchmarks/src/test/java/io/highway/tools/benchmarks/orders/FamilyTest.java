// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.orders;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FamilyTest {

    /** Values that are the same in both halves are field names and a few constants, all of them ASCII. */
    private static final Pattern NO_CHINESE = Pattern.compile("[^\\p{IsHan}]+");

    @ParameterizedTest
    @EnumSource(Family.class)
    void messagesAreAboutAsLongAsAsked_andTheSameEveryTime(Family family) {
        for (int bytes : new int[] {2 << 10, 80 << 10}) {
            byte[] message = Family.encoded(family.message(Family.Half.MEASURED, bytes, 1));

            assertThat(message.length).isBetween(bytes * 2 / 5, bytes * 6 / 5);
            assertThat(Family.encoded(family.message(Family.Half.MEASURED, bytes, 1)))
                    .isEqualTo(message);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ORDERS_TEXT", "TENDERS", "DOCUMENTS", "SENSORS"})
    void halvesShareNoDaysAndNoPlaces(Family family) {
        assertThat(days(family, Family.Half.TRAINED)).doesNotContainAnyElementsOf(days(family, Family.Half.MEASURED));
        assertThat(parts(family, Family.Half.TRAINED)).doesNotContainAnyElementsOf(parts(family, Family.Half.MEASURED));
    }

    private static Set<String> days(Family family, Family.Half half) {
        return Pattern.compile("20\\d\\d-\\d\\d-\\d\\d")
                .matcher(text(family, half))
                .results()
                .map(day -> day.group())
                .collect(Collectors.toSet());
    }

    /** Chinese text between anything else, of which halves have no words in common. */
    private static Set<String> parts(Family family, Family.Half half) {
        return Arrays.stream(NO_CHINESE.split(text(family, half)))
                .filter(part -> part.length() > 2)
                .collect(Collectors.toSet());
    }

    private static String text(Family family, Family.Half half) {
        return IntStream.range(0, 50)
                .mapToObj(number -> (byte[]) family.message(half, 2 << 10, number))
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .collect(Collectors.joining());
    }
}
