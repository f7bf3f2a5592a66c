// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A list of method patterns: {@code query*}, {@code com.foo.Sms#get*}, {@code com.foo.Sms#*}. A star matches any text,
 * once on either side of {@code #}; without {@code #} a pattern applies to every interface.
 */
public record MethodPatterns(List<String> patterns) {

    static final MethodPatterns NONE = new MethodPatterns(List.of());

    static final MethodPatterns ALL = new MethodPatterns(List.of("*"));

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

    /**
     * The patterns that name this interface, without a star, but none of its methods: they can never match.
     *
     * @param key the key that sets the patterns
     * @return a sentence for each, without a full stop
     */
    List<String> problems(String key, String interfaceName, Collection<String> methodNames) {
        String start = interfaceName + "#";
        List<String> problems = new ArrayList<>();
        for (String pattern : patterns) {
            String method = pattern.substring(pattern.indexOf('#') + 1);
            if (pattern.startsWith(start) && methodNames.stream().noneMatch(name -> Glob.matches(method, name))) {
                problems.add(key + ": \"" + pattern + "\" matches no method of " + interfaceName
                        + ", so it does nothing; its methods are " + String.join(", ", methodNames)
                        + Suggestions.hint(method.replace("*", ""), methodNames));
            }
        }
        return problems;
    }

    /** Whether any pattern matches. */
    public boolean matches(String interfaceName, String methodName) {
        return !match(interfaceName, methodName).isEmpty();
    }
}
