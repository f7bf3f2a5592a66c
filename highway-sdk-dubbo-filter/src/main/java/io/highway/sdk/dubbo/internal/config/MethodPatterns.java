// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.config;

import java.util.Collection;
import java.util.List;

/**
 * A list of method patterns: {@code query*}, {@code com.foo.Sms#get*}, {@code com.foo.Sms#*}. A star matches any text,
 * once on either side of {@code #}; without {@code #} a pattern applies to every interface.
 */
public record MethodPatterns(List<String> patterns) {

    static final MethodPatterns NONE = new MethodPatterns(List.of());

    public MethodPatterns {
        patterns = List.copyOf(patterns);
    }

    /** Whether there is no pattern. */
    public boolean isEmpty() {
        return patterns.isEmpty();
    }

    /** The first pattern that matches, or empty text. */
    public String match(String interfaceName, String methodName) {
        for (String pattern : patterns) {
            int hash = pattern.indexOf('#');
            boolean fits = hash < 0
                    ? Glob.matches(pattern, methodName)
                    : Glob.matches(pattern.substring(0, hash), interfaceName)
                            && Glob.matches(pattern.substring(hash + 1), methodName);
            if (fits) {
                return pattern;
            }
        }
        return "";
    }

    /** Whether a pattern names this interface, without a star. */
    boolean names(String interfaceName) {
        return patterns.stream().anyMatch(pattern -> pattern.startsWith(interfaceName + "#"));
    }

    /** The patterns that name this interface, without a star, but none of these methods: they can never match. */
    List<String> withoutMethod(String interfaceName, Collection<String> methodNames) {
        return patterns.stream()
                .filter(pattern -> pattern.startsWith(interfaceName + "#"))
                .filter(pattern -> methodNames.stream()
                        .noneMatch(method -> Glob.matches(pattern.substring(pattern.indexOf('#') + 1), method)))
                .toList();
    }

    /** Whether any pattern matches. */
    public boolean matches(String interfaceName, String methodName) {
        return !match(interfaceName, methodName).isEmpty();
    }
}
