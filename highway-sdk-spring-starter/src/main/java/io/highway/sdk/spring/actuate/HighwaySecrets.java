// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import java.util.Locale;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;

/** Hides the secrets of signed route headers, however their keys are spelled. */
final class HighwaySecrets implements SanitizingFunction {

    @Override
    public SanitizableData apply(SanitizableData data) {
        String letters = data.getKey().toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
        boolean secret = letters.startsWith("highwaysignsecret") || letters.startsWith("highwaysignaccept");
        return secret ? data.withValue(SanitizableData.SANITIZED_VALUE) : data;
    }
}
