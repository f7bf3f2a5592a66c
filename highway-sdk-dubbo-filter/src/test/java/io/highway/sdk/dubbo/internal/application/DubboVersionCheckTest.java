// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.application;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DubboVersionCheckTest {

    @ParameterizedTest
    @ValueSource(strings = {"2.7.23", "3.1.11", "3.2.0", "3.2.11", "3.2.11-SNAPSHOT"})
    void refusesAnOlderDubbo_withWhatToUse(String version) {
        assertThatThrownBy(() -> DubboVersionCheck.require(version))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessage("Dubbo " + version + ": the Highway SDK needs 3.2.12 or newer. Use Dubbo 3.3.6 (or 3.2.19),"
                        + " for example by importing its BOM, org.apache.dubbo:dubbo-bom");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.2.12", "3.2.19", "3.3.0", "3.3.6", "4.0.0", "3.10.0", "", "ours-7"})
    void takesANewerOne_andAVersionThatItCannotRead(String version) {
        assertThatCode(() -> DubboVersionCheck.require(version)).doesNotThrowAnyException();
    }

    @Test
    void takesTheOneOfThisBuild() {
        assertThatCode(DubboVersionCheck::require).doesNotThrowAnyException();
    }
}
