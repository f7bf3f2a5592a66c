// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.policy.HighwayKeys;
import io.highway.sdk.internal.Texts;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingEndEvent;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceEndEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;

/**
 * The keys of a rule with the line of each, from YAML. Nested keys are joined with dots, sequences with commas.
 *
 * <p>It reads SnakeYAML's events and constructs nothing: every scalar is the text as written, since YAML 1.1 turns
 * {@code 1.10} into 1.1, {@code 010} into 8 and {@code off} into false.
 */
final class RuleYaml {

    /** The name of the rule, and the start of every origin. */
    static final String NAME = "highway.policy";

    private static final int MAX_BYTES = 1 << 20;

    /** The deepest key is {@code islands}, id, {@code services}, pattern, {@code gateways}, {@code dubbo}. */
    private static final int MAX_DEPTH = 8;

    /** What a rule needs in memory grows with both, and the policy that it replaces is still there. */
    static final int MOST_ISLANDS = 1_000;

    static final int MOST_ITEMS = 1_000;

    private static final Pattern KEY = Pattern.compile("[!-~]{1,300}");

    /** What could end a log line, hide a part of it or reverse its direction. */
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}&&[^\\p{IsJoin_Control}]]");

    /** A value and its line; the value is null for an empty mapping or sequence. */
    record Entry(@Nullable String value, int line) {

        /** An error about it; its key has no prefix. */
        HighwayConfigurationException error(String key, String problem, String action) {
            return RuleYaml.error(HighwayKeys.PREFIX + key, line, problem, action);
        }
    }

    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Iterator<Event> events;
    private final Map<String, Set<String>> namesByGroup = new HashMap<>();

    private RuleYaml(Iterator<Event> events) {
        this.events = events;
    }

    /**
     * Reads a rule.
     *
     * @return the entries by key without {@code highway.}
     * @throws HighwayConfigurationException if it is not a mapping of keys in plain YAML
     */
    static Map<String, Entry> read(String text) {
        if (text.length() > MAX_BYTES || text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw new HighwayConfigurationException(NAME, "the rule is larger than 1MB", "Write a shorter rule")
                    .at(NAME);
        }
        try {
            RuleYaml rule =
                    new RuleYaml(new Yaml().parse(new StringReader(text)).iterator());
            rule.document();
            return rule.entries;
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
            throw error(
                    NAME,
                    line,
                    "not valid YAML: " + Texts.printable(String.valueOf(e.getProblem())),
                    "Correct the line");
        } catch (HighwayConfigurationException e) {
            throw e;
        } catch (RuntimeException e) { // a YAMLException, or NumberFormatException for the escape "\\UFFFFFFFF"
            throw error(
                    NAME, 1, "not valid YAML: " + Texts.printable(String.valueOf(e.getMessage())), "Correct the rule");
        }
    }

    private void document() {
        boolean isFirst = true;
        while (events.hasNext()) {
            Event event = events.next();
            if (event instanceof DocumentStartEvent) {
                if (!isFirst) {
                    throw error(NAME, line(event), "the rule has more than one document", "Remove the line ---");
                }
                isFirst = false;
                Event root = next(NAME);
                if (!(root instanceof MappingStartEvent)) {
                    throw notKeys(line(root));
                }
                mapping("", line(root), 1);
            }
        }
        if (isFirst) {
            throw notKeys(1);
        }
    }

    private static HighwayConfigurationException notKeys(int line) {
        return error(
                NAME,
                line,
                "the rule has no keys",
                "Write keys such as islands.shanghai.tunnel: auto, or use-static: true to return to the static"
                        + " configuration");
    }

    private void mapping(String parent, int line, int depth) {
        if (depth > MAX_DEPTH) {
            throw error(full(parent), line, "the keys are nested too deeply", "Write at most " + MAX_DEPTH + " levels");
        }
        boolean isEmpty = true;
        for (Event event = next(parent); !(event instanceof MappingEndEvent); event = next(parent)) {
            isEmpty = false;
            String key = parent + key(parent, event);
            value(key, line(event), next(key), depth);
        }
        if (isEmpty && !parent.isEmpty()) {
            put(parent.substring(0, parent.length() - 1), new Entry(null, line));
        }
    }

    private static String key(String parent, Event event) {
        String key = event instanceof ScalarEvent scalar ? scalar.getValue().strip() : "";
        if (!KEY.matcher(key).matches()) {
            throw error(
                    full(parent),
                    line(event),
                    "a key is missing or is not text of printable ASCII characters",
                    "Write a key, such as islands.shanghai.tunnel: auto");
        }
        return key;
    }

    private void value(String key, int line, Event event, int depth) {
        if (event instanceof MappingStartEvent) {
            mapping(key + ".", line, depth + 1);
        } else if (event instanceof SequenceStartEvent) {
            List<String> items = new ArrayList<>();
            for (Event item = next(key); !(item instanceof SequenceEndEvent); item = next(key)) {
                items.add(scalar(key, item));
            }
            put(key, new Entry(items.isEmpty() ? null : String.join(",", items), line));
        } else {
            put(key, new Entry(scalar(key, event), line));
        }
    }

    private static String scalar(String key, Event event) {
        if (!(event instanceof ScalarEvent scalar)) {
            throw error(full(key), line(event), "an item of the list is not a scalar", "Write a list of texts");
        }
        String value = scalar.getValue().strip();
        if (CONTROL.matcher(value).find()) {
            throw error(
                    full(key), line(event), "the value has a line break or control character", "Write it on one line");
        }
        return value;
    }

    private void put(String key, Entry entry) {
        List.of("islands", "guard.rules", "guard.callers").forEach(group -> requireBounded(group, key, entry.line));
        long items = entry.value == null
                ? 0
                : entry.value.chars().filter(c -> c == ',').count() + 1;
        if (items > MOST_ITEMS) {
            throw error(
                    full(key),
                    entry.line,
                    "the list has " + items + " items, and a rule may have " + MOST_ITEMS,
                    "Write fewer, such as patterns with a star");
        }
        Entry other = entries.putIfAbsent(key, entry);
        if (other != null) {
            throw error(
                    full(key),
                    entry.line,
                    "the key is written twice, also in line " + other.line,
                    "Remove one of the two lines");
        }
    }

    /** Counts the names below a group. */
    private void requireBounded(String group, String key, int line) {
        Set<String> names = namesByGroup.computeIfAbsent(group, any -> new HashSet<>());
        if (key.startsWith(group + ".")) {
            int end = key.indexOf('.', group.length() + 1);
            names.add(key.substring(group.length() + 1, end < 0 ? key.length() : end));
        }
        if (names.size() > MOST_ISLANDS) {
            throw error(full(group), line, "the rule has more than " + MOST_ISLANDS + " " + group, "Write fewer");
        }
    }

    /** The next event, without the features of YAML that hide what a line means. */
    private Event next(String key) {
        Event event = events.next();
        if (event instanceof NodeEvent node && node.getAnchor() != null) {
            throw error(
                    full(key),
                    line(event),
                    (event instanceof AliasEvent ? "the alias *" : "the anchor &") + quoted(key, node.getAnchor())
                            + " is not allowed",
                    "Write the value itself");
        }
        String tag = event instanceof ScalarEvent scalar
                ? scalar.getTag()
                : event instanceof CollectionStartEvent collection ? collection.getTag() : null;
        if (tag != null) {
            throw error(
                    full(key),
                    line(event),
                    "the tag " + quoted(key, tag) + " is not allowed",
                    "Remove it: every value is text");
        }
        return event;
    }

    private static String quoted(String key, String text) {
        return HighwayKeys.isSecret(key) ? "" : Texts.printable(text);
    }

    private static int line(Event event) {
        return event.getStartMark() == null ? 1 : event.getStartMark().getLine() + 1;
    }

    private static String full(String key) {
        String trimmed = key.endsWith(".") ? key.substring(0, key.length() - 1) : key;
        return trimmed.isEmpty() || trimmed.equals(NAME) ? NAME : HighwayKeys.PREFIX + trimmed;
    }

    static HighwayConfigurationException error(String key, int line, String problem, String action) {
        return new HighwayConfigurationException(key, problem, action).at(origin(line));
    }

    static String origin(int line) {
        return NAME + ", line " + line;
    }
}
