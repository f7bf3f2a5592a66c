// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.springboot.sms;

import io.highway.sdk.Highway;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Adds the server of a call to its answer: {@code shanghai, for order in zhejiang}, or {@code zhejiang} for calls from
 * home.
 */
@Component
class Stamp {

    private final String island;

    Stamp(@Value("${highway.island}") String island) {
        this.island = island;
    }

    String on(String text) {
        return Highway.caller()
                        .map(caller -> island + ", for " + caller.application() + " in " + caller.island())
                        .orElse(island)
                + ": " + text;
    }
}
