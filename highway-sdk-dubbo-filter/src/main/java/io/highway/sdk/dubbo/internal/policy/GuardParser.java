// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.IslandId;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.policy.GuardPolicy.Requirement;
import io.highway.sdk.dubbo.internal.policy.GuardRule.Action;
import io.highway.sdk.dubbo.internal.policy.Key.Reader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the {@code guard.*} keys. */
final class GuardParser {

    private static final String RULES = HighwayKeys.RULES;
    private static final String CALLERS = HighwayKeys.CALLERS;
    private static final String OWNER = ".owner";
    private static final Pattern RATE = Pattern.compile("([1-9][0-9]{0,6})/s");
    private static final Pattern HOST = Pattern.compile("(?:[a-zA-Z0-9_-]{1,63}\\.)*[a-zA-Z_][a-zA-Z0-9_-]{0,62}");
    private static final Pattern OWNER_TEXT = Pattern.compile("[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]{1,200}");

    /** An empty list would match every call. */
    private static final Reader<List<String>> METHODS =
            ValueParser.items("Write method patterns, such as com.foo.Sms#get*, or remove the key to match all");

    private static final Reader<List<String>> CONSENT = ValueParser.items(
            "Write method patterns, such as query*, or * for all methods; without the key none is served for that island");

    /** Without stars first, then the longest. */
    private static final Comparator<CallerOwner> MOST_SPECIFIC = Comparator.comparingLong(
                    (CallerOwner one) -> ValueParser.stars(one.callers().toString()))
            .thenComparing(one -> one.callers().toString().length(), Comparator.reverseOrder())
            .thenComparing(one -> one.callers().toString());

    private static final int MAX_RATE = 1_000_000;

    /** So many islands can have a stand-in here. */
    private static final int MOST_STOOD_IN_FOR = 64;

    private final Map<String, Map<String, String>> rules = new TreeMap<>();

    /** By full key. */
    private final Map<String, CallerOwner> owners = new TreeMap<>();

    private final Map<String, MethodPatterns> standsInFor = new TreeMap<>();

    private final Mistakes mistakes;

    GuardParser(Mistakes mistakes) {
        this.mistakes = mistakes;
    }

    /** Takes a key of a caller or a rule, without the prefix of all keys; false if it is none. */
    boolean take(String fullKey, String key, String value) {
        if (key.startsWith(CALLERS)) {
            owners.put(fullKey, owner(fullKey, key.substring(CALLERS.length()), value));
            return true;
        }
        if (key.startsWith(HighwayKeys.STANDS_IN_FOR)) {
            standsInFor(fullKey, key.substring(HighwayKeys.STANDS_IN_FOR.length()), value);
            return true;
        }
        if (!key.startsWith(RULES)) {
            return false;
        }
        String rest = key.substring(RULES.length());
        int dot = rest.indexOf('.');
        String name = dot < 0 ? "" : rest.substring(0, dot);
        if (!Key.NAME.matcher(name).matches()) {
            throw new HighwayConfigurationException(
                    fullKey,
                    "the name of the rule is missing or is not 1 to 63 lower-case letters, digits and hyphens",
                    "Write highway.guard.rules.<name>.action, such as highway.guard.rules.no-transfers.action=deny");
        }
        String part = rest.substring(dot + 1);
        if (!HighwayKeys.PER_RULE.contains(part)) {
            throw new HighwayConfigurationException(
                    fullKey, "there is no such key", Suggestions.hintOrList(part, HighwayKeys.PER_RULE));
        }
        rules.computeIfAbsent(name, any -> new LinkedHashMap<>()).put(part, value);
        return true;
    }

    private void standsInFor(String fullKey, String island, String value) {
        if (!IslandId.isValid(island)) {
            throw new HighwayConfigurationException(
                    fullKey,
                    "\"" + island + "\" is no island: 1 to 63 lower-case letters, digits and hyphens",
                    "Write highway." + HighwayKeys.STANDS_IN_FOR + "<island>, such as highway."
                            + HighwayKeys.STANDS_IN_FOR + "shanghai=query*");
        }
        standsInFor.put(island, ValueParser.patterns(fullKey, String.join(",", CONSENT.read(fullKey, value))));
        if (standsInFor.size() > MOST_STOOD_IN_FOR) {
            throw new HighwayConfigurationException(
                    fullKey,
                    "there are more than " + MOST_STOOD_IN_FOR + " islands with this key",
                    "Remove the others");
        }
    }

    private void requireAnother(String home) {
        if (standsInFor.containsKey(home)) {
            throw new HighwayConfigurationException(
                    HighwayKeys.PREFIX + HighwayKeys.STANDS_IN_FOR + home,
                    "this is " + home + " (highway.island), and no island stands in for itself",
                    "Remove the key, or write the island whose calls are to be served here");
        }
    }

    private static CallerOwner owner(String fullKey, String rest, String value) {
        CallerPattern caller =
                rest.endsWith(OWNER) ? CallerPattern.parse(rest.substring(0, rest.length() - OWNER.length())) : null;
        if (caller == null) {
            throw new HighwayConfigurationException(
                    fullKey,
                    "there is no such key",
                    "Write highway.guard.callers.<island>/<application>.owner, such as"
                            + " highway.guard.callers.zhejiang/shop-*.owner, with at most one star on each side of /");
        }
        if (!OWNER_TEXT.matcher(value).matches()) {
            throw HighwayConfigurationException.notAllowed(
                    fullKey, value, "1 to 200 printable characters", "Write who answers for these callers");
        }
        return new CallerOwner(caller, value);
    }

    /**
     * The policy that the keys describe.
     *
     * @param general the general keys
     * @param home the island of this process
     * @param signing the keys of signatures; with accepted ones, signatures are demanded
     * @param added the full keys of callers that a rule adds, which count after all others
     */
    GuardPolicy policy(GeneralSettings general, String home, SigningKeys signing, Set<String> added) {
        requireAnother(home);
        List<Subnet> gateways = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>();
        for (String item : Objects.requireNonNullElse(general.written(HighwayKeys.GUARD_GATEWAYS), List.<String>of())) {
            Subnet range = range(HighwayKeys.GUARD_GATEWAYS, item);
            if (range != null) {
                gateways.add(range);
            } else if (HOST.matcher(item).matches() && item.length() <= 253) {
                names.add(item.toLowerCase(Locale.ROOT));
            } else {
                throw HighwayConfigurationException.notAllowed(
                        HighwayKeys.GUARD_GATEWAYS.fullKey(),
                        item,
                        "an IP address, a range such as 10.1.0.0/16 or 2001:db8::/32, or a host name",
                        "Write the address from which the gateway connects to this process, without a port");
            }
        }
        List<Subnet> atHome = general.has(HighwayKeys.GUARD_HOME) ? home(general, gateways) : null;
        return new GuardPolicy(
                gateways,
                List.copyOf(names),
                atHome,
                requirement(
                        general.written(HighwayKeys.GUARD_REQUIRE),
                        atHome != null,
                        !signing.accepted().isEmpty()),
                general.get(HighwayKeys.GUARD_SHADOW),
                rules(),
                new GuardPolicy.Callers(
                        Stream.concat(owners(key -> !added.contains(key)), owners(added::contains))
                                .toList(),
                        general.get(HighwayKeys.GUARD_UNKNOWN_CALLERS).equals("refuse")),
                standsInFor);
    }

    private Stream<CallerOwner> owners(Predicate<String> keys) {
        return owners.entrySet().stream()
                .filter(entry -> keys.test(entry.getKey()))
                .map(Map.Entry::getValue)
                .sorted(MOST_SPECIFIC);
    }

    private static List<Subnet> home(GeneralSettings general, List<Subnet> gateways) {
        List<Subnet> home = new ArrayList<>();
        for (String item : Objects.requireNonNullElse(general.written(HighwayKeys.GUARD_HOME), List.<String>of())) {
            Subnet range = range(HighwayKeys.GUARD_HOME, item);
            if (range == null) {
                throw HighwayConfigurationException.notAllowed(
                        HighwayKeys.GUARD_HOME.fullKey(),
                        item,
                        "an IP address, or a range such as 10.1.0.0/16 or 2001:db8::/32",
                        "Write the addresses of the callers at home");
            }
            if (gateways.contains(range)) {
                throw new HighwayConfigurationException(
                        HighwayKeys.GUARD_HOME.fullKey(),
                        "\"" + item + "\" is in highway.guard.gateways, too, and a gateway's calls are not from home",
                        "Remove it from one of them");
            }
            home.add(range);
        }
        return home;
    }

    private static @Nullable Subnet range(Key<?> key, String item) {
        Subnet range = Subnet.parse(item);
        String corrected = range == null ? null : range.corrected();
        if (corrected != null) {
            throw new HighwayConfigurationException(
                    key.fullKey(),
                    "\"" + item + "\" has bits beyond its prefix",
                    "Write " + corrected + " for the range, or the address without a prefix");
        }
        return range;
    }

    private static Requirement requirement(@Nullable Requirement written, boolean hasHome, boolean acceptsSignatures) {
        if (written == Requirement.SIGNATURE && !acceptsSignatures) {
            throw new HighwayConfigurationException(
                    HighwayKeys.GUARD_REQUIRE.fullKey(),
                    "\"signature\" demands what nothing can verify: there is no highway.sign.accept.<key-id>",
                    "Write the keys of the other islands as highway.sign.accept.<key-id>, or headers");
        }
        if (written == Requirement.NOTHING && hasHome) {
            throw new HighwayConfigurationException(
                    HighwayKeys.GUARD_REQUIRE.fullKey(),
                    "\"nothing\" contradicts highway.guard.home, which names the only peers that may call without"
                            + " route headers",
                    "Write headers or signature, or remove highway.guard.home");
        }
        if (written != null) {
            return written;
        }
        return hasHome ? Requirement.HEADERS : Requirement.NOTHING;
    }

    private List<GuardRule> rules() {
        List<GuardRule> parsed = new ArrayList<>();
        rules.forEach((name, own) -> mistakes.check(() -> {
            GuardRule rule = rule(name, own);
            for (GuardRule other : parsed) {
                boolean contradicts = rule.action() != other.action()
                        && rule.action() != Action.AUDIT
                        && other.action() != Action.AUDIT;
                if (contradicts && rule.from().equals(other.from()) && rule.to().equals(other.to())) {
                    throw new HighwayConfigurationException(
                            fullKey(name, "action"),
                            "\"" + rule.action() + "\" contradicts the rule \"" + other.name()
                                    + "\", which matches the same calls and has the action " + other.action(),
                            "Remove one of them");
                }
            }
            parsed.add(rule);
        }));
        return parsed;
    }

    private static GuardRule rule(String name, Map<String, String> own) {
        String action = own.get("action");
        if (action == null) {
            throw new HighwayConfigurationException(
                    fullKey(name, "action"),
                    "missing, though another key of the rule \"" + name + "\" is set",
                    "Write allow, deny or audit");
        }
        Action known = ValueParser.oneOf(Action.values()).read(fullKey(name, "action"), action);
        String from = own.get("from");
        return new GuardRule(
                name,
                known,
                from == null ? List.of() : CallerPattern.list(fullKey(name, "from"), from),
                to(name, own.get("to")),
                rate(name, own.get("rate"), known));
    }

    private static MethodPatterns to(String name, @Nullable String value) {
        String key = fullKey(name, "to");
        return value == null
                ? MethodPatterns.NONE
                : ValueParser.patterns(key, String.join(",", METHODS.read(key, value)));
    }

    private static int rate(String name, @Nullable String value, Action action) {
        String key = fullKey(name, "rate");
        if (value == null) {
            return 0;
        }
        Matcher rate = RATE.matcher(value);
        int calls = rate.matches() ? Integer.parseInt(rate.group(1)) : 0;
        if (calls < 1 || calls > MAX_RATE) {
            throw HighwayConfigurationException.notAllowed(
                    key, value, "calls per second from 1/s to 1000000/s", "Write a rate such as 200/s");
        }
        if (action != Action.ALLOW) {
            throw new HighwayConfigurationException(
                    key,
                    "a rule with the action " + action + " allows nothing that a rate could limit",
                    "Remove the rate, or write it at an allow rule");
        }
        return calls;
    }

    private static String fullKey(String rule, String key) {
        return HighwayKeys.PREFIX + RULES + rule + "." + key;
    }
}
