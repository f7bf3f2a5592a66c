// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.policy.ConfigurationSources;
import io.highway.sdk.dubbo.internal.policy.GuardWarnings;
import io.highway.sdk.dubbo.internal.policy.HighwayKeys;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import io.highway.sdk.dubbo.internal.policy.Mistakes;
import io.highway.sdk.dubbo.internal.policy.PolicyWarnings;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.dubbo.internal.policy.ZstdDictionary;
import io.highway.sdk.dubbo.internal.policy.source.RuleYaml.Entry;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * The command-line program {@code check <policy.yaml> [--against <current.yaml>] [--static <file.properties>]}: reads a rule as an
 * application does, and prints its mistakes or what it would change.
 */
public final class PolicyCheckCommand {

    private static final int ACCEPTED = 0;
    private static final int REFUSED = 1;
    private static final int UNUSABLE = 2;

    /** With so many mistakes, the rest is of no interest. */
    private static final int MOST_MISTAKES = 50;

    /** How it is run. */
    public static final String USAGE =
            "usage: java -cp '<jars>' io.highway.sdk.dubbo.internal.check.Main check <policy.yaml>"
                    + " [--against <current.yaml>] [--static <file.properties>]";

    /** A rule that changes nothing. */
    private static final String USE_STATIC = "use-static: true";

    /** Home, where no static configuration is given; no rule names it. */
    private static final String ANY_HOME = "home-of-the-application";

    private final PrintStream out;
    private final RawSettings staticSettings;
    private final boolean isStaticKnown;

    private PolicyCheckCommand(RawSettings staticSettings, boolean isStaticKnown, PrintStream out) {
        this.staticSettings = staticSettings;
        this.isStaticKnown = isStaticKnown;
        this.out = out;
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
            RawSettings settings = configured == null
                    ? RawSettings.of(Map.of(HighwayKeys.PREFIX + "island", ANY_HOME), "check")
                    : settings(configured);
            return new PolicyCheckCommand(settings, configured != null, out)
                    .check(file, options.get("--against"), configured);
        } catch (IOException e) { // the command cannot run; the message is for people
            err.println("highway: " + e.getMessage());
            return UNUSABLE;
        }
    }

    private static Map<String, String> options(List<String> args) throws IOException {
        Map<String, String> options = new LinkedHashMap<>();
        boolean isCheck = !args.isEmpty() && args.get(0).equals("check");
        for (int i = 1; isCheck && i < args.size(); i++) {
            String arg = args.get(i);
            boolean isOption = arg.equals("--against") || arg.equals("--static");
            if ((arg.startsWith("-") && !isOption) || (isOption && i + 1 == args.size())) {
                throw new IOException("\"" + arg + "\" is not allowed here; " + USAGE);
            }
            if (options.put(isOption ? arg : "", isOption ? args.get(++i) : arg) != null) {
                throw new IOException(USAGE);
            }
        }
        if (!options.containsKey("")) {
            throw new IOException(USAGE);
        }
        return options;
    }

    private static RawSettings settings(String file) throws IOException {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text(file)));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " cannot be read: " + e);
        }
        Map<String, String> ours = new TreeMap<>();
        properties.stringPropertyNames().stream()
                .filter(key -> key.startsWith(HighwayKeys.PREFIX))
                .forEach(key -> ours.put(ConfigurationSources.fromRelaxed(key), properties.getProperty(key)));
        if (ours.isEmpty()) {
            throw new IOException(file + " has no key that begins with " + HighwayKeys.PREFIX);
        }
        return RawSettings.of(ours, file);
    }

    private static String text(String file) throws IOException {
        try {
            return Files.readString(Path.of(file));
        } catch (CharacterCodingException e) {
            throw new IOException(file + " is not UTF-8");
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException(file + " cannot be read: " + e);
        }
    }

    private int check(String file, @Nullable String against, @Nullable String configured) throws IOException {
        Mistakes before = new Mistakes(MOST_MISTAKES);
        Mistakes mistakes = new Mistakes(MOST_MISTAKES);
        PolicyRule current = read(against == null ? USE_STATIC : text(against), before);
        PolicyRule rule = read(text(file), mistakes);
        if (rule == null) {
            print(file, mistakes.found());
            return REFUSED;
        }
        out.println(file + ": version " + rule.version() + " (hash " + PolicyRule.shortHash(rule.hash()) + "): accepted"
                + (configured == null ? ", without a static configuration (--static)" : ""));
        new PolicyWarnings(rule.policy()).ofKeys().forEach(warning -> out.println("warning: " + warning));
        for (String island : new TreeSet<>(rule.policy().knownIslands())) {
            IslandPolicy of = Objects.requireNonNull(rule.policy().forIsland(island));
            if (of.servedBy() != null) {
                out.println((of.isAlias() ? "all calls for " : "calls for ") + island + " go to " + of.servedBy());
            }
        }
        String missing = rule.policy().missing().problem();
        if (missing != null) {
            out.println("warning: " + missing);
        }
        if (configured != null) { // the guard's other keys are static
            GuardWarnings.of(rule.policy().guard(), rule.policy().signing())
                    .forEach(warning -> out.println("warning: " + warning));
        }
        String name = against == null ? configured : against;
        if (name != null && current != null) {
            List<String> changes = PolicyDiff.of(current.policy(), rule.policy());
            out.println(changes.isEmpty() ? "no change against " + name : "changes against " + name + ":");
            changes.forEach(change -> out.println("  " + change));
        } else if (against != null) {
            print(against, before.found());
            out.println(against + ": nothing to compare with");
        }
        return ACCEPTED;
    }

    private void print(String file, List<HighwayConfigurationException> mistakes) {
        for (HighwayConfigurationException mistake : mistakes) {
            String origin = Objects.requireNonNullElse(mistake.origin(), "");
            String place = origin.startsWith(RuleYaml.NAME + ", line ")
                    ? file + ":" + origin.substring((RuleYaml.NAME + ", line ").length())
                    : origin.isEmpty() || origin.equals(RuleYaml.NAME) ? file : origin;
            out.println(place + ": " + mistake.getMessage());
        }
        out.println(file + ": refused, " + mistakes.size() + (mistakes.size() == 1 ? " mistake" : " mistakes"));
    }

    /** Reads a rule; null if it has mistakes. */
    private @Nullable PolicyRule read(String text, Mistakes mistakes) {
        try {
            Map<String, Entry> entries = RuleYaml.read(text);
            PolicyRule rule = PolicyRule.of(
                    entries,
                    PolicyRule.hash(text),
                    staticSettings,
                    dictionaries(entries),
                    null,
                    "check",
                    Set.of(),
                    mistakes);
            return mistakes.found().isEmpty() ? rule : null;
        } catch (HighwayConfigurationException e) {
            mistakes.add(e);
            return null;
        }
    }

    /** By name: their files are on the applications' machines. Without a static configuration, any name is good. */
    private Map<String, ZstdDictionary> dictionaries(Map<String, Entry> entries) {
        String prefix = HighwayKeys.PREFIX + HighwayKeys.DICTIONARIES;
        Stream<String> names = isStaticKnown
                ? staticSettings.values().keySet().stream()
                        .filter(key -> key.startsWith(prefix))
                        .map(key -> key.substring(prefix.length()))
                : entries.entrySet().stream()
                        .filter(entry -> entry.getKey().endsWith(".dictionary"))
                        .map(entry -> String.valueOf(entry.getValue().value()));
        return names.distinct()
                .filter(name -> !name.equals(ZstdDictionary.NONE))
                .collect(Collectors.toMap(Function.identity(), ZstdDictionary::unread));
    }
}
