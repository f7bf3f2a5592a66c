// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import io.highway.sdk.IslandResolver;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.network.connection.OptionalArtifacts;
import io.highway.sdk.dubbo.internal.policy.HighwayKeys;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import io.highway.sdk.dubbo.internal.policy.Mistakes;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.dubbo.internal.policy.RuleDifferences;
import io.highway.sdk.dubbo.internal.policy.ZstdDictionary;
import io.highway.sdk.dubbo.internal.policy.source.RuleYaml.Entry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rule of the dynamic policy, and the policy it gives over a static configuration, see {@link RuleMerge}. Immutable.
 *
 * @param policy the policy, whose version is {@code version}
 * @param version the label of the rule, or the first characters of its hash
 * @param hash the SHA-256 of the text, which identifies the rule
 * @param usesStatic whether the rule returns to the static configuration
 */
record PolicyRule(Policy policy, String version, String hash, boolean usesStatic) {

    private static final String VERSION = "version";
    private static final String USE_STATIC = "use-static";
    private static final int SHORT_HASH = 8;

    /** Each has some 6 KB of health. */
    private static final int MOST_ENDPOINTS = 10_000;

    private static final Pattern LABEL = Pattern.compile("[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]{1,64}");

    /**
     * Reads a rule.
     *
     * @param text YAML with the keys of the static configuration, without {@code highway.}
     * @param staticSettings the static configuration
     * @param dictionaries those that it declares; a rule names them, and no file is read for it
     * @param resolver resolves a business key before {@code keys} does, or null if there is none
     * @param source where the text comes from, for messages
     * @param formerly the islands that earlier rules named
     * @throws HighwayConfigurationException for the first error, with its key, and its line as origin
     */
    static PolicyRule read(
            String text,
            RawSettings staticSettings,
            Map<String, ZstdDictionary> dictionaries,
            @Nullable IslandResolver resolver,
            String source,
            Set<String> formerly) {
        PolicyRule rule = of(
                RuleYaml.read(text),
                hash(text),
                staticSettings,
                dictionaries,
                resolver,
                source,
                formerly,
                new Mistakes(1));
        OptionalArtifacts.requireFor(rule.policy);
        return rule;
    }

    /**
     * As {@link #read}, of the entries of a text with this hash.
     *
     * @param mistakes takes those in the rule, each with its origin
     */
    static PolicyRule of(
            Map<String, Entry> written,
            String hash,
            RawSettings staticSettings,
            Map<String, ZstdDictionary> dictionaries,
            @Nullable IslandResolver resolver,
            String source,
            Set<String> formerly,
            Mistakes mistakes) {
        Map<String, Entry> entries = new LinkedHashMap<>(written);
        Entry label = entries.remove(VERSION);
        String version = Objects.requireNonNullElse(mistakes.read(() -> version(label, hash)), shortHash(hash));
        boolean usesStatic = usesStatic(entries.remove(USE_STATIC), entries);
        RawSettings settings = usesStatic ? staticSettings : RuleMerge.of(entries, staticSettings, mistakes);
        try {
            RuleDifferences missing = RuleDifferences.of(
                            staticSettings, settings, "policy " + version + " (" + source + ")")
                    .after(formerly);
            Policy policy = PolicyParser.parse(settings, version, resolver, dictionaries, missing, mistakes)
                    .orElseThrow(() -> new HighwayConfigurationException(
                            RuleYaml.NAME,
                            "the static configuration is switched off or has no key",
                            "Write at least highway.island statically"));
            if (!usesStatic) {
                requireBounded(policy);
            }
            return new PolicyRule(policy, version, hash, usesStatic);
        } catch (HighwayConfigurationException e) {
            throw located(e, settings, entries);
        } finally {
            mistakes.locate(mistake -> located(mistake, settings, entries));
        }
    }

    private static HighwayConfigurationException located(
            HighwayConfigurationException mistake, RawSettings settings, Map<String, Entry> entries) {
        HighwayConfigurationException known = mistake.origin() != null ? mistake : settings.located(mistake);
        return known.origin() != null ? known : known.at(nearestOrigin(known.key(), entries));
    }

    private static void requireBounded(Policy policy) {
        int endpoints = 0;
        for (String island : policy.knownIslands()) {
            IslandPolicy known = policy.forIsland(island);
            endpoints += known == null ? 0 : known.endpoints();
            if (known != null && known.routes().ofServices().size() > RuleYaml.MOST_ITEMS) {
                throw new HighwayConfigurationException(
                        HighwayKeys.PREFIX + HighwayKeys.ISLANDS + island + ".services",
                        "the island has more than " + RuleYaml.MOST_ITEMS + " patterns of services",
                        "Write fewer, such as patterns with a star");
            }
            if (endpoints > MOST_ENDPOINTS) {
                throw new HighwayConfigurationException(
                        HighwayKeys.PREFIX + HighwayKeys.ISLANDS + island,
                        "the islands have more than " + MOST_ENDPOINTS + " gateways together, bulk calls counted apart",
                        "Write fewer islands, or fewer addresses of gateways");
            }
        }
    }

    /** The identity of a rule: the SHA-256 of its text, in hexadecimal digits. */
    static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    static String shortHash(String hash) {
        return hash.substring(0, SHORT_HASH);
    }

    /** The label of a text that may be no valid rule, or the first characters of its hash. */
    static String versionOf(String text) {
        String hash = hash(text);
        try {
            return version(RuleYaml.read(text).get(VERSION), hash);
        } catch (RuntimeException | Error e) { // whatever it is: the text is refused with a version
            return version(null, hash);
        }
    }

    private static String version(@Nullable Entry entry, String hash) {
        if (entry == null) {
            return shortHash(hash);
        }
        String label = entry.value() == null ? "" : entry.value();
        if (!LABEL.matcher(label).matches() || label.equals("static")) {
            throw notAllowed(
                    VERSION,
                    entry,
                    "1 to 64 printable characters, and not the word static",
                    "Write a label such as 2026-07-15.1, or remove the key");
        }
        return label;
    }

    private static boolean usesStatic(@Nullable Entry entry, Map<String, Entry> others) {
        if (entry == null) {
            if (others.isEmpty()) {
                throw RuleYaml.error(
                        RuleYaml.NAME,
                        1,
                        "the rule has no key but version",
                        "Write use-static: true to return to the static configuration");
            }
            return false;
        }
        if (!"true".equals(entry.value())) {
            throw notAllowed(USE_STATIC, entry, "true", "Write use-static: true, or remove the key");
        }
        others.forEach((key, other) -> {
            throw other.error(
                    key,
                    "it contradicts use-static: true, which returns to the static configuration",
                    "Remove one of them");
        });
        return true;
    }

    /** The line of the first key next to the one that is missing, for an error about no line of the rule. */
    private static String nearestOrigin(String fullKey, Map<String, Entry> entries) {
        String parent = fullKey;
        while (parent.lastIndexOf('.') > 0) {
            parent = parent.substring(0, parent.lastIndexOf('.'));
            for (Map.Entry<String, Entry> entry : entries.entrySet()) {
                if (!parent.equals("highway") && RuleMerge.full(entry.getKey()).startsWith(parent + ".")) {
                    return RuleYaml.origin(entry.getValue().line());
                }
            }
        }
        return RuleYaml.NAME;
    }

    private static HighwayConfigurationException notAllowed(String key, Entry entry, String allowed, String action) {
        return HighwayConfigurationException.notAllowed(
                        RuleMerge.full(key), entry.value() == null ? "" : entry.value(), allowed, action)
                .at(RuleYaml.origin(entry.line()));
    }
}
