// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.policy.PolicySourceSettings.Kind;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the {@code policy.*} keys. */
final class PolicySourceParser {

    private static final String FILE = "file:";

    private PolicySourceParser() {}

    static PolicySourceSettings read(GeneralSettings keys) {
        String source = keys.written(HighwayKeys.POLICY_SOURCE);
        Path directory = keys.written(HighwayKeys.POLICY_DIRECTORY);
        requireKeys(keys.written(HighwayKeys.POLICY_FIXED));
        return new PolicySourceSettings(
                kind(source),
                source != null && source.startsWith(FILE)
                        ? ValueParser.path(
                                HighwayKeys.POLICY_SOURCE.fullKey(), source, source.substring(FILE.length()), "file")
                        : null,
                directory == null ? Path.of(System.getProperty("user.home", "."), ".dubbo", "highway") : directory);
    }

    /** Of an island, or groups of a rule; a first part means all that begin with it. */
    private static void requireKeys(@Nullable List<String> fixed) {
        List<String> known = Stream.concat(HighwayKeys.ofIsland().keySet().stream(), HighwayKeys.RULE_GROUPS.stream())
                .toList();
        for (String item : fixed == null ? List.<String>of() : fixed) {
            if (known.stream().noneMatch(key -> (key + ".").startsWith(item + "."))) {
                throw HighwayConfigurationException.notAllowed(
                        HighwayKeys.POLICY_FIXED.fullKey(),
                        item,
                        "keys of an island without their prefix, and groups of a rule",
                        Suggestions.hint(item, known, "Write keys such as idempotent,fallback,services"));
            }
        }
    }

    private static Kind kind(@Nullable String source) {
        if (source == null) {
            return Kind.DEFAULT;
        }
        if (source.startsWith(FILE)) {
            return Kind.FILE;
        }
        return switch (source) {
            case "config-center" -> Kind.CONFIG_CENTER;
            case "none" -> Kind.NONE;
            default ->
                throw HighwayConfigurationException.notAllowed(
                        HighwayKeys.POLICY_SOURCE.fullKey(),
                        source,
                        "config-center, file:<path>, none",
                        "Write one of them, such as file:/etc/highway/policy.yaml");
        };
    }
}
