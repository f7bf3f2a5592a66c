// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.policy;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.policy.PolicySource.Kind;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The {@code policy.*} keys. */
final class PolicySourceKeys {

    private static final String SOURCE = "policy.source";
    private static final String WAIT = "policy.wait";
    private static final String DIRECTORY = "policy.directory";
    private static final String ON_DELETE = "policy.on-delete";
    private static final String FIXED = "policy.fixed";
    private static final String FILE = "file:";
    private static final String DEFAULT_WAIT = "3s";

    /** Each key with its default: a value, or a description if there is none. */
    static final Map<String, String> BUILT_IN = new KeyDefaults()
            .key(SOURCE, "config-center if the application has one, else none")
            .key(WAIT, DEFAULT_WAIT)
            .key(DIRECTORY, "~/.dubbo/highway")
            .key(ON_DELETE, "keep")
            .key(FIXED, "none")
            .build();

    private PolicySourceKeys() {}

    /**
     * Reads the keys.
     *
     * @param written the value of a key, or null
     */
    static PolicySource read(UnaryOperator<@Nullable String> written) {
        String source = written.apply(SOURCE);
        String wait = written.apply(WAIT);
        String directory = written.apply(DIRECTORY);
        String onDelete = written.apply(ON_DELETE);
        requireKeys(written.apply(FIXED));
        return new PolicySource(
                kind(source),
                source != null && source.startsWith(FILE)
                        ? path(SOURCE, source, source.substring(FILE.length()))
                        : null,
                ValueParser.millisOrZero(HighwayKeys.PREFIX + WAIT, wait == null ? DEFAULT_WAIT : wait),
                directory == null
                        ? Path.of(System.getProperty("user.home", "."), ".dubbo", "highway")
                        : path(DIRECTORY, directory, directory),
                onDelete != null
                        && ValueParser.oneOf(HighwayKeys.PREFIX + ON_DELETE, onDelete, List.of("keep", "static"))
                                .equals("static"));
    }

    /** Of an island, or groups of a rule; a first part stands for all that begin with it. */
    private static void requireKeys(@Nullable String fixed) {
        List<String> known = Stream.concat(HighwayKeys.ofIsland().keySet().stream(), HighwayKeys.RULE_GROUPS.stream())
                .toList();
        for (String item : ValueParser.list(fixed == null ? "" : fixed)) {
            if (known.stream().noneMatch(key -> (key + ".").startsWith(item + "."))) {
                throw HighwayConfigurationException.notAllowed(
                        HighwayKeys.PREFIX + FIXED,
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
                        HighwayKeys.PREFIX + SOURCE,
                        source,
                        "config-center, file:<path>, none",
                        "Write one of them, such as file:/etc/highway/policy.yaml");
        };
    }

    private static Path path(String key, String value, String path) {
        try {
            if (!path.isBlank()) {
                return Path.of(path).toAbsolutePath();
            }
        } catch (InvalidPathException e) {
            // the same answer
        }
        throw HighwayConfigurationException.notAllowed(
                HighwayKeys.PREFIX + key,
                value,
                "the path of a " + (key.equals(SOURCE) ? "file" : "directory"),
                "Write an absolute path");
    }
}
