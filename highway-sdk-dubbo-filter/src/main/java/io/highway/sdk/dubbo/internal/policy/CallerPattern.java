// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.policy.Key.Reader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A pattern for callers, {@code island/application}, with at most one star on each side: {@code zhejiang/*},
 * {@code zhejiang/shop-*}, {@code *}{@code /*}.
 */
public record CallerPattern(String island, String application) {

    /** What names on the wire consist of; every other character of an application's name arrives as {@code _}. */
    private static final Pattern ISLAND = Pattern.compile("[a-z0-9*-]{1,63}");

    private static final Pattern APPLICATION = Pattern.compile("[!-~&&[^/;]]{1,200}");
    private static final String ANY = "*";
    private static final Reader<List<String>> ITEMS =
            ValueParser.items("Write island/application patterns, such as zhejiang/*, or remove the key to match all");

    /** Reads a list of patterns, which is not empty. */
    static List<CallerPattern> list(String key, String value) {
        List<CallerPattern> patterns = new ArrayList<>();
        for (String item : ITEMS.read(key, value)) {
            CallerPattern pattern = parse(item);
            if (pattern == null) {
                boolean mayBeSecret = key.contains(".sign."); // written there by mistake
                boolean isIsland = !mayBeSecret && parse(item + "/*") != null;
                throw HighwayConfigurationException.notAllowed(
                        key,
                        item,
                        "island/application, with at most one star on each side of /",
                        (isIsland ? "Did you mean \"" + item + "/*\"? " : "")
                                + "Write zhejiang/*, zhejiang/shop or */shop-*; characters of an application's name"
                                + " that are not printable ASCII, and / and ;, arrive as _");
            }
            patterns.add(pattern);
        }
        return patterns;
    }

    /** Reads a pattern; null if the text is none. */
    static @Nullable CallerPattern parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return null;
        }
        CallerPattern pattern = new CallerPattern(text.substring(0, slash), text.substring(slash + 1));
        return ISLAND.matcher(pattern.island).matches()
                        && APPLICATION.matcher(pattern.application).matches()
                        && ValueParser.stars(pattern.island) <= 1
                        && ValueParser.stars(pattern.application) <= 1
                ? pattern
                : null;
    }

    /**
     * What the signature by a key proves of its caller, or null if the key may not sign for it.
     *
     * @param patterns the callers that may use the key, or null for any
     */
    public static Caller.@Nullable Proof proof(@Nullable List<CallerPattern> patterns, @Nullable Caller claimed) {
        if (patterns == null) {
            return Caller.Proof.KEY;
        }
        return claimed == null
                ? null
                : patterns.stream()
                        .filter(pattern -> pattern.matches(claimed, false))
                        .map(CallerPattern::proof)
                        .max(Comparator.naturalOrder())
                        .orElse(null);
    }

    /** What it proves of a caller that it matches. */
    private Caller.Proof proof() {
        return island.contains(ANY)
                ? Caller.Proof.KEY
                : application.contains(ANY) ? Caller.Proof.ISLAND : Caller.Proof.APPLICATION;
    }

    /** Whether it matches every application of its islands. */
    boolean isAnyApplication() {
        return application.equals(ANY);
    }

    private boolean isAnyIsland() {
        return island.equals(ANY);
    }

    /**
     * Whether a key of these callers can prove what the pattern depends on.
     *
     * @param patterns the callers that may use the key
     */
    boolean isProvenBy(Collection<CallerPattern> patterns) {
        return (isAnyIsland() && isAnyApplication()) || patterns.stream().anyMatch(this::isProvenBy);
    }

    private boolean isProvenBy(CallerPattern literal) {
        boolean provesIsland = isAnyIsland() || (Glob.matches(island, literal.island) && !literal.island.contains(ANY));
        boolean provesApplication = isAnyApplication()
                || (Glob.matches(application, literal.application) && !literal.application.contains(ANY));
        return provesIsland && provesApplication;
    }

    /**
     * Whether it matches what the caller claims to be.
     *
     * @param verifiedOnly whether a signature must prove every name that this depends on
     */
    public boolean matches(Caller caller, boolean verifiedOnly) {
        return Glob.matches(island, caller.island())
                && Glob.matches(application, caller.application())
                && (!verifiedOnly || caller.isIslandVerified() || isAnyIsland())
                && (!verifiedOnly || caller.isApplicationVerified() || isAnyApplication());
    }

    @Override
    public String toString() {
        return island + "/" + application;
    }
}
