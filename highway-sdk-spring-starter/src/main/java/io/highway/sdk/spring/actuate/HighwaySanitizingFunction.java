// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import io.highway.sdk.spring.internal.SpringSettings;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Hides the secrets of signed route headers and the passwords of keys: by their keys in any spelling, and wherever
 * another value contains one, such as a command line.
 */
final class HighwaySanitizingFunction implements SanitizingFunction {

    private static final String CALLERS = "highway.sign.accept-from.";

    private final List<String> secrets;

    HighwaySanitizingFunction(ConfigurableEnvironment environment) {
        this.secrets = SpringSettings.read(environment).values().entrySet().stream()
                .filter(entry -> isSecret(entry.getKey()))
                .map(Map.Entry::getValue)
                .filter(secret -> !secret.isEmpty())
                .toList();
    }

    @Override
    public SanitizableData apply(SanitizableData data) {
        boolean contains = data.getValue() instanceof CharSequence value
                && secrets.stream().anyMatch(secret -> value.toString().contains(secret));
        return contains || isSecret(data.getKey()) ? data.withValue(SanitizableData.SANITIZED_VALUE) : data;
    }

    private static boolean isSecret(String key) {
        String letters = key.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
        return letters.matches("highway(islands.*)?signsecret.*")
                || (letters.startsWith("highwaysignaccept") && !key.startsWith(CALLERS))
                || letters.matches("highway.*gateways(proxy|tls(trust|key)password)");
    }
}
