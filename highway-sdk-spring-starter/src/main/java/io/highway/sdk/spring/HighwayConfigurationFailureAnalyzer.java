// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports a configuration error with its key, its origin and the fix. */
final class HighwayConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<HighwayConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable failure, HighwayConfigurationException cause) {
        String where = cause.origin() == null ? "" : " (" + cause.origin() + ")";
        return new FailureAnalysis(
                "Highway cannot start:\n\n    " + cause.key() + where + "\n\n" + upper(cause.problem()) + ".",
                upper(cause.action()) + (cause.action().endsWith("?") ? "" : "."),
                cause);
    }

    private static String upper(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
