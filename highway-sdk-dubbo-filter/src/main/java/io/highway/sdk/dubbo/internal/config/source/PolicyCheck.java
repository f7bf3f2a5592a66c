// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.config.source;

import io.highway.sdk.IslandId;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.config.Dictionary;
import io.highway.sdk.dubbo.internal.config.GuardWarnings;
import io.highway.sdk.dubbo.internal.config.HighwayKeys;
import io.highway.sdk.dubbo.internal.config.HighwaySettings;
import io.highway.sdk.dubbo.internal.config.KeySources;
import io.highway.sdk.dubbo.internal.config.Policy;
import io.highway.sdk.dubbo.internal.config.PolicyWarnings;
import io.highway.sdk.dubbo.internal.config.source.RuleText.Entry;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The command {@code check <policy.yaml> [--against <current.yaml>] [--static <file.properties>]}: reads a rule as an
 * application does, and prints its mistakes or what it would change.
 */
public final class PolicyCheck {

    private static final int ACCEPTED = 0;
    private static final int REFUSED = 1;
    private static final int UNUSABLE = 2;

    /** With so many mistakes, the rest is of no interest. */
    private static final int MOST_MISTAKES = 50;

    private static final String USAGE = "usage: java -jar highway-sdk-dubbo-filter-<version>.jar check <policy.yaml>"
            + " [--against <current.yaml>] [--static <file.properties>]";

    /** Home, where no static configuration is given; no rule names it. */
    private static final String ANY_HOME = "home-of-the-application";

    private final PrintStream out;
    private final HighwaySettings staticSettings;
    private final boolean isStaticKnown;

    private PolicyCheck(HighwaySettings staticSettings, boolean isStaticKnown, PrintStream out) {
        this.staticSettings = staticSettings;
        this.isStaticKnown = isStaticKnown;
        this.out = out;
    }

    /** A rule that was read: the policy, or why there is none. */
    private record Checked(@Nullable PolicyRule rule, List<HighwayConfigurationException> mistakes) {}

    /** The command cannot run; the message is for people. */
    private static final class UnusableException extends Exception {

        private static final long serialVersionUID = 1L;

        UnusableException(String message) {
            super(message);
        }
    }

    /**
     * Runs the command.
     *
     * @param args the command's name and its arguments
     * @return the exit code: 0 if the rule is accepted, 1 if it is refused, 2 if the command cannot run
     */
    public static int run(List<String> args, PrintStream out, PrintStream err) {
        try {
            Map<String, String> options = options(args);
            String file = options.getOrDefault("", "");
            String configured = options.get("--static");
            HighwaySettings settings = configured == null
                    ? HighwaySettings.of(Map.of(HighwayKeys.PREFIX + "island", ANY_HOME), "check")
                    : settings(configured);
            return new PolicyCheck(settings, configured != null, out).check(file, options.get("--against"), configured);
        } catch (UnusableException e) {
            err.println("highway: " + e.getMessage());
            return UNUSABLE;
        }
    }

    private static Map<String, String> options(List<String> args) throws UnusableException {
        Map<String, String> options = new LinkedHashMap<>();
        boolean isCheck = !args.isEmpty() && args.get(0).equals("check");
        for (int i = 1; isCheck && i < args.size(); i++) {
            String arg = args.get(i);
            boolean isOption = arg.equals("--against") || arg.equals("--static");
            if ((arg.startsWith("-") && !isOption) || (isOption && i + 1 == args.size())) {
                throw new UnusableException("\"" + arg + "\" is not allowed here; " + USAGE);
            }
            if (options.put(isOption ? arg : "", isOption ? args.get(++i) : arg) != null) {
                throw new UnusableException(USAGE);
            }
        }
        if (!options.containsKey("")) {
            throw new UnusableException(USAGE);
        }
        return options;
    }

    private static HighwaySettings settings(String file) throws UnusableException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of(file))) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new UnusableException(file + " cannot be read: " + e);
        }
        Map<String, String> ours = new TreeMap<>();
        properties.stringPropertyNames().stream()
                .filter(key -> key.startsWith(HighwayKeys.PREFIX))
                .forEach(key -> ours.put(KeySources.fromRelaxed(key), properties.getProperty(key)));
        if (ours.isEmpty()) {
            throw new UnusableException(file + " has no key that begins with " + HighwayKeys.PREFIX);
        }
        return HighwaySettings.of(ours, file);
    }

    private static String text(String file) throws UnusableException {
        try {
            return Files.readString(Path.of(file));
        } catch (CharacterCodingException e) {
            throw new UnusableException(file + " is not UTF-8");
        } catch (IOException | IllegalArgumentException e) {
            throw new UnusableException(file + " cannot be read: " + e);
        }
    }

    private int check(String file, @Nullable String against, @Nullable String configured) throws UnusableException {
        Checked before = against == null ? null : read(text(against));
        Checked checked = read(text(file));
        PolicyRule rule = checked.rule;
        if (rule == null) {
            print(file, checked.mistakes);
            return REFUSED;
        }
        out.println(file + ": version " + rule.version() + " (hash " + PolicyRule.shortHash(rule.hash()) + "): accepted"
                + (configured == null ? ", without a static configuration (--static)" : ""));
        new PolicyWarnings(rule.policy()).ofKeys().forEach(warning -> out.println("warning: " + warning));
        String missing = rule.policy().missing().problem();
        if (missing != null) {
            out.println("warning: " + missing);
        }
        if (configured != null) { // the guard's other keys are static
            GuardWarnings.of(rule.policy().guard(), rule.policy().signing())
                    .forEach(warning -> out.println("warning: " + warning));
        }
        if (before != null && before.rule == null) {
            print(String.valueOf(against), before.mistakes);
            out.println(against + ": nothing to compare with");
        } else if (before != null && before.rule != null) {
            printChanges(String.valueOf(against), before.rule.policy(), rule.policy());
        } else if (configured != null) {
            PolicyRule unchanged = read("use-static: true").rule;
            if (unchanged != null) {
                printChanges(configured, unchanged.policy(), rule.policy());
            }
        }
        return ACCEPTED;
    }

    private void print(String file, List<HighwayConfigurationException> mistakes) {
        for (HighwayConfigurationException mistake : mistakes) {
            String origin = Objects.requireNonNullElse(mistake.origin(), "");
            String place = origin.startsWith(RuleText.NAME + ", line ")
                    ? file + ":" + origin.substring((RuleText.NAME + ", line ").length())
                    : origin.isEmpty() || origin.equals(RuleText.NAME) ? file : origin;
            out.println(place + ": " + mistake.getMessage());
        }
        out.println(file + ": refused, " + mistakes.size() + (mistakes.size() == 1 ? " mistake" : " mistakes"));
    }

    /**
     * Reads a rule. An application refuses it for the first mistake; here the key of each mistake is left out, and the
     * rest is read again.
     */
    private Checked read(String text) {
        List<HighwayConfigurationException> mistakes = new ArrayList<>();
        Map<String, Entry> entries;
        try {
            entries = new LinkedHashMap<>(RuleText.read(text));
        } catch (HighwayConfigurationException e) {
            return new Checked(null, List.of(e));
        }
        Map<String, Dictionary> dictionaries = dictionaries(entries);
        String hash = PolicyRule.hash(text);
        while (mistakes.size() < MOST_MISTAKES) {
            try {
                PolicyRule rule = PolicyRule.of(entries, hash, staticSettings, dictionaries, null, "check", Set.of());
                return new Checked(mistakes.isEmpty() ? rule : null, mistakes);
            } catch (HighwayConfigurationException e) {
                mistakes.add(e);
                if (!leaveOut(e, entries) || entries.isEmpty()) {
                    break;
                }
            }
        }
        return new Checked(null, mistakes);
    }

    /** By name: their files are on the applications' machines. Without a static configuration, any name is good. */
    private Map<String, Dictionary> dictionaries(Map<String, Entry> entries) {
        String prefix = HighwayKeys.PREFIX + HighwayKeys.DICTIONARIES;
        Stream<String> names = isStaticKnown
                ? staticSettings.values().keySet().stream()
                        .filter(key -> key.startsWith(prefix))
                        .map(key -> key.substring(prefix.length()))
                : entries.entrySet().stream()
                        .filter(entry -> entry.getKey().endsWith(".dictionary"))
                        .map(entry -> String.valueOf(entry.getValue().value()));
        return names.distinct()
                .filter(name -> !name.equals(Dictionary.NONE))
                .collect(Collectors.toMap(Function.identity(), Dictionary::unread));
    }

    /** Leaves out the key of a mistake and what makes no sense without it; false if no line of the rule has it. */
    private static boolean leaveOut(HighwayConfigurationException mistake, Map<String, Entry> entries) {
        String key = mistake.key().replaceFirst("^" + HighwayKeys.PREFIX.replace(".", "\\."), "");
        String written = entries.containsKey(key)
                ? key
                : entries.keySet().stream()
                        .filter(other -> RuleText.origin(line(entries, other)).equals(mistake.origin()))
                        .findFirst()
                        .orElse(null);
        if (written == null) {
            return false;
        }
        int line = line(entries, written);
        entries.keySet().removeAll(withoutSense(written, entries.keySet()));
        String island = written.startsWith("islands.") ? written.split("\\.", 3)[1] : "";
        boolean isLastKey = entries.keySet().stream().noneMatch(other -> other.startsWith("islands." + island + "."));
        if (IslandId.isValid(island) && isLastKey) { // services may name the island, which is no mistake of theirs
            entries.put("islands." + island + ".retries", new Entry("0", line));
        }
        return true;
    }

    private static int line(Map<String, Entry> entries, String key) {
        Entry entry = entries.get(key);
        return entry == null ? 0 : entry.line();
    }

    private static Set<String> withoutSense(String key, Set<String> keys) {
        String scope = key.startsWith("guard.rules.") || key.startsWith("services.")
                ? key.substring(0, key.lastIndexOf('.') + 1)
                : "";
        Set<String> without = new TreeSet<>(Set.of(key));
        keys.stream()
                .filter(other -> !scope.isEmpty() && other.startsWith(scope))
                .forEach(without::add);
        return without;
    }

    private void printChanges(String against, Policy before, Policy after) {
        List<String> changes = PolicyChanges.of(before, after);
        out.println(changes.isEmpty() ? "no change against " + against : "changes against " + against + ":");
        changes.forEach(change -> out.println("  " + change));
    }
}
