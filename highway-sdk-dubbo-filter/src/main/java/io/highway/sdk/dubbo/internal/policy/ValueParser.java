// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy.Concurrency;
import io.highway.sdk.dubbo.internal.policy.Key.Reader;
import io.highway.sdk.internal.Texts;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the values of keys; each failure names the key, the value and what is allowed. */
final class ValueParser {

    private static final Pattern AMOUNT = Pattern.compile("(\\d{1,12})\\s*([a-zA-Z]*)");
    private static final Map<String, Long> TIMES = Map.of("", 1L, "ms", 1L, "s", 1000L, "m", 60_000L, "h", 3_600_000L);

    /** The units of Spring's {@code DataSize}, in any case. */
    private static final Map<String, Long> SIZES =
            Map.of("", 1L, "b", 1L, "kb", 1L << 10, "mb", 1L << 20, "gb", 1L << 30, "tb", 1L << 40);

    private static final String DURATION = "a duration from 1ms to 24 days, such as 500ms, 3s or 2m";

    static final Reader<Integer> MILLIS = amount(TIMES, 1, Integer.MAX_VALUE, DURATION);
    static final Reader<Integer> MILLIS_OR_ZERO =
            amount(TIMES, 0, Integer.MAX_VALUE, "0 or a duration up to 24 days, such as 50ms or 1s");

    /** 0 means {@code none}; not {@code off}, which YAML reads as false. */
    static final Reader<Integer> MILLIS_OR_NONE = orNone(0, amount(TIMES, 1, Integer.MAX_VALUE, "none or " + DURATION));

    /** 0 means {@code none}. */
    static final Reader<Integer> PERCENT_OR_NONE = orNone(0, number(1, 100, "none or "));

    static final Reader<Integer> BYTES = amount(
            SIZES, 1, 1 << 30, "a size from 1B to 1GB, such as 64B, 512KB or 4MB; a number without a unit is bytes");

    /** {@link Integer#MAX_VALUE} means {@code none}. */
    static final Reader<Integer> BYTES_OR_NONE = orNone(
            Integer.MAX_VALUE,
            amount(SIZES, 1, 1 << 30, "none or a size from 1B to 1GB, such as 16KB; a number without a unit is bytes"));

    static final Reader<Long> MANY_BYTES = (key, value) -> amount(
            key,
            value,
            SIZES,
            1,
            1L << 40,
            "a size from 1B to 1TB, such as 64MB or 2GB; a number without a unit is bytes");

    private static final Reader<Integer> LIMIT = number(1, 1_000_000, "unlimited, auto or ");
    private static final Reader<Integer> BULK_LIMIT = number(1, 1_000_000, "unlimited or ");

    static final Reader<Boolean> FLAG = is("true", "true", "false");

    /** Whether calls are only reported; the other mode refuses them. */
    static final Reader<Boolean> IS_SHADOW = is("shadow", "enforce", "shadow");

    static final Reader<Boolean> IS_WARN = is("warn", "none", "warn");

    private static final Pattern SERVICE = Pattern.compile("([\\w.-]+/)?[\\w.$]+(:[\\w.-]+)?");

    /** All tunnels, in the order that {@code auto} prefers. */
    private static final List<TunnelKind> ALL_TUNNELS = List.of(TunnelKind.TRIPLE, TunnelKind.DUBBO, TunnelKind.HTTP);

    private ValueParser() {}

    static String oneOf(String key, String value, List<String> allowed) {
        if (!allowed.contains(value)) {
            throw HighwayConfigurationException.notAllowed(
                    key,
                    value,
                    String.join(", ", allowed),
                    Suggestions.hint(value.toLowerCase(Locale.ROOT), allowed, "Write one of them"));
        }
        return value;
    }

    /** Whether the value is this word; it is one of those. */
    private static Reader<Boolean> is(String word, String... allowed) {
        return (key, value) -> oneOf(key, value, List.of(allowed)).equals(word);
    }

    /** A value that is one of these words. */
    static Reader<String> oneOf(String... allowed) {
        return (key, value) -> oneOf(key, value, List.of(allowed));
    }

    /** A value that is the name of one of these in lower case. */
    static <E extends Enum<E>> Reader<E> oneOf(E[] constants) {
        List<String> words = Arrays.stream(constants).map(Texts::word).toList();
        return (key, value) -> constants[words.indexOf(oneOf(key, value, words))];
    }

    static Reader<Integer> number(int least, int most) {
        return number(least, most, "");
    }

    private static Reader<Integer> number(int least, int most, String or) {
        return amount(Map.of("", 1L), least, most, or + "a whole number from " + least + " to " + most);
    }

    private static Reader<Integer> amount(Map<String, Long> units, int least, int most, String allowed) {
        return (key, value) -> (int) amount(key, value, units, least, most, allowed);
    }

    private static Reader<Integer> orNone(int none, Reader<Integer> reader) {
        return (key, value) -> value.equals("none") ? none : reader.read(key, value);
    }

    /** Without a time to wait. */
    static Concurrency concurrency(String key, String value) {
        return value.equals("auto") ? new Concurrency(0, true, 0) : concurrency(key, value, LIMIT);
    }

    /** The same without {@code auto}. */
    static Concurrency bulkConcurrency(String key, String value) {
        return concurrency(key, value, BULK_LIMIT);
    }

    private static Concurrency concurrency(String key, String value, Reader<Integer> limit) {
        return value.equals("unlimited") ? Concurrency.UNLIMITED : new Concurrency(limit.read(key, value), false, 0);
    }

    private static long amount(
            String key, String value, Map<String, Long> units, long least, long most, String allowed) {
        Matcher matcher = AMOUNT.matcher(value);
        Long unit = matcher.matches() ? units.get(matcher.group(2).toLowerCase(Locale.ROOT)) : null;
        if (unit != null) {
            long count = Long.parseLong(matcher.group(1));
            if (count <= most / unit && count * unit >= least) {
                return count * unit;
            }
        }
        throw HighwayConfigurationException.notAllowed(key, value, allowed, "Write a value in that range");
    }

    /** A list that is not empty. */
    static Reader<List<String>> items(String advice) {
        return (key, value) -> {
            List<String> items = list(value);
            if (items.isEmpty()) {
                throw new HighwayConfigurationException(key, "the value is empty", advice);
            }
            return items;
        };
    }

    static List<String> list(String value) {
        return Arrays.stream(value.split(","))
                .map(String::trim)
                .filter(item -> !item.isEmpty())
                .toList();
    }

    /** Protocols in the order of preference. */
    static List<TunnelKind> tunnels(String key, String value) {
        List<String> words = list(value);
        List<TunnelKind> tunnels = ALL_TUNNELS.stream()
                .filter(kind -> words.contains(kind.word()))
                .sorted(Comparator.comparingInt(kind -> words.indexOf(kind.word())))
                .toList();
        if (words.equals(List.of("auto"))) {
            return ALL_TUNNELS;
        }
        if (tunnels.isEmpty() || tunnels.size() < words.size()) {
            List<String> allowed = Stream.concat(
                            Stream.of("auto"),
                            ALL_TUNNELS.stream().map(TunnelKind::word).sorted())
                    .toList();
            throw HighwayConfigurationException.notAllowed(
                    key,
                    value,
                    String.join(", ", allowed) + ", or a list in the order of preference, such as triple,dubbo",
                    Suggestions.hint(value.toLowerCase(Locale.ROOT), allowed, "Write one of them"));
        }
        return tunnels;
    }

    static String service(String key, String value) {
        if (!SERVICE.matcher(value).matches()) {
            throw HighwayConfigurationException.notAllowed(
                    key,
                    value,
                    "[group/]interface[:version]",
                    "Write a service that every island has, such as com.foo.SmsService:1.0.0");
        }
        return value;
    }

    static Set<String> businessKeys(String key, String value) {
        List<String> keys = list(value);
        for (String item : keys) {
            if (stars(item) > 1) {
                throw HighwayConfigurationException.notAllowed(
                        key, item, "text with at most one star", "Write keys such as 310000,31*");
            }
        }
        return Set.copyOf(keys);
    }

    /**
     * Reads a path.
     *
     * @param path the part of the value that is the path
     * @param what a file or a directory, for messages
     */
    static Path path(String key, String value, String path, String what) {
        try {
            if (!path.isBlank()) {
                return Path.of(path).toAbsolutePath();
            }
        } catch (InvalidPathException e) {
            // the same answer
        }
        throw HighwayConfigurationException.notAllowed(key, value, "the path of a " + what, "Write an absolute path");
    }

    /** A list of addresses that is not empty. */
    static Reader<List<GatewaySpec>> addresses(Reader<GatewaySpec> address) {
        return (key, value) -> {
            List<String> items = list(value);
            if (items.isEmpty()) {
                throw HighwayConfigurationException.notAllowed(
                        key, value, GatewaySpec.ALLOWED, "Write at least one address or remove the key");
            }
            return items.stream()
                    .map(item -> address.read(key, item))
                    .distinct()
                    .toList();
        };
    }

    static MethodPatterns patterns(String key, String value) {
        for (String pattern : list(value)) {
            String method = pattern.substring(pattern.indexOf('#') + 1);
            String type = pattern.contains("#") ? pattern.substring(0, pattern.indexOf('#')) : "*";
            if (!isName(method) || !isInterface(type)) {
                throw HighwayConfigurationException.notAllowed(
                        key,
                        pattern,
                        "method or interface#method, with at most one star on each side of #",
                        meant(pattern) + "Write query*, com.foo.Sms#get* or com.foo.Sms#*");
            }
        }
        return new MethodPatterns(list(value));
    }

    /** Whether a text is an interface's name, such as {@code com.foo.Sms}, with at most one star. */
    static boolean isInterface(String text) {
        return stars(text) <= 1 && Arrays.stream(text.split("\\.", -1)).allMatch(ValueParser::isName);
    }

    /** Whether a text is a name in Java, with at most one star. */
    private static boolean isName(String text) {
        return !text.isEmpty()
                && stars(text) <= 1
                && text.codePoints().allMatch(c -> c == '*' || Character.isJavaIdentifierPart(c));
    }

    /** A suggestion for {@code com.foo.Sms}, {@code com.foo.Sms.get} and {@code get()}. */
    private static String meant(String pattern) {
        int bracket = pattern.indexOf('(');
        String name = bracket < 0 ? pattern : pattern.substring(0, bracket);
        int dot = name.lastIndexOf('.');
        if (name.indexOf('#') < 0 && dot > 0 && dot < name.length() - 1) {
            name = Character.isUpperCase(name.charAt(dot + 1))
                    ? name + "#*"
                    : name.substring(0, dot) + "#" + name.substring(dot + 1);
        }
        String type = name.contains("#") ? name.substring(0, name.indexOf('#')) : "*";
        boolean fits = isInterface(type) && isName(name.substring(name.indexOf('#') + 1));
        return fits && !name.equals(pattern) ? "Did you mean \"" + name + "\"? " : "";
    }

    static long stars(String text) {
        return text.chars().filter(c -> c == '*').count();
    }
}
