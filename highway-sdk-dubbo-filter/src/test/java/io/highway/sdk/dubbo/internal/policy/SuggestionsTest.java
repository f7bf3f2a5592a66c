// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionsTest {

    private static final List<String> ISLANDS = List.of("shanghai", "shangrao", "beijing", "zhejiang");

    @ParameterizedTest
    @CsvSource({
        "shanghai, shanghai",
        "shangai, shanghai",
        "shanghaii, shanghai",
        "shanghia, shanghai",
        "shanrao, shangrao",
        "bejing, beijing",
        "zejiang, zhejiang",
        "Beijing, beijing"
    })
    void findsTheNameWithinTwoEdits(String written, String meant) {
        assertThat(Suggestions.find(written, ISLANDS)).isEqualTo(meant);
        assertThat(Suggestions.hint(written, ISLANDS)).isEqualTo("; did you mean \"" + meant + "\"?");
    }

    @ParameterizedTest
    @CsvSource({"''", "atlantis", "shan", "chongqing", "hai"})
    void findsNothing_whenAllNamesAreFurtherAway(String written) {
        assertThat(Suggestions.find(written, ISLANDS)).isNull();
        assertThat(Suggestions.hint(written, ISLANDS)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"gateways.tri, gateways.triple", "gateways.t, -", "gateways, -", "bei, beijing", "be, -", "shan, -"
            })
    void findsTheOnlyNameThatBeginsSo(String written, String meant) {
        List<String> names = List.of("gateways.dubbo", "gateways.triple", "beijing", "shanghai", "shangrao");

        assertThat(Suggestions.nearest(written, names)).isEqualTo(meant);
        assertThat(Suggestions.hint(written, names))
                .isEqualTo(meant == null ? "" : "; did you mean \"" + meant + "\"?");
    }

    @Test
    void findsTheFirstInTheAlphabet_whenTwoAreAsNear() {
        assertThat(Suggestions.find("cat", List.of("hat", "bat", "rat"))).isEqualTo("bat");
        assertThat(Suggestions.find("cat", List.of("bat", "hat", "rat"))).isEqualTo("bat");
    }

    @Test
    void findsNothing_amongNoNames() {
        assertThat(Suggestions.hint("shanghai", List.of())).isEmpty();
    }
}
