// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.orders;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What is in one message: ids, signatures, days, places and Chinese text of its half. */
final class RandomContent {

    private static final Pattern FIELD = Pattern.compile("\\$([a-z]+)(\\d*)|\\(([^)]*)\\)");

    private static final List<String> TEMPLATES = lines("templates.txt");
    private static final List<List<String>> PLACES = halves("places.txt");
    private static final List<List<String>> WORDS = halves("words.txt");
    private static final List<Instant> BEGINS =
            List.of(Instant.parse("2025-01-01T00:00:00Z"), Instant.parse("2026-03-01T00:00:00Z"));

    private static final List<String> CLAUSES = List.of(
            "$company", "$words2$amount6元", "$later$words2", "$words1、$words1、$words2", "$place$words2", "$words3");

    private static final int HALF_YEAR_SECONDS = 180 * 24 * 3600;
    /** When ids of the kind "snowflake" began: their first bits are milliseconds since then. */
    private static final long SNOWFLAKE_EPOCH = 1_288_834_974_657L;

    private static final int SNOWFLAKE_BITS = 22;
    private static final int SIGNATURE_BYTES = 64;

    private final List<String> places;
    private final List<String> words;
    private final Random random;
    private final Instant begun;
    private final int bytes;
    private int seconds;

    /**
     * Of one half.
     *
     * @param isTrained whether a dictionary is trained with it, and not measured
     * @param bytes of the message, about
     */
    RandomContent(boolean isTrained, long seed, int bytes) {
        int line = isTrained ? 0 : 1;
        this.places = PLACES.get(line);
        this.words = WORDS.get(line);
        this.random = new Random(seed);
        this.begun = BEGINS.get(line).plusSeconds(random.nextInt(HALF_YEAR_SECONDS));
        this.bytes = bytes;
    }

    /** Lines of a resource without comments. */
    private static List<String> lines(String resource) {
        try (InputStream in = Objects.requireNonNull(RandomContent.class.getResourceAsStream(resource))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lines with an even number are in one half, the others in the other. */
    private static List<List<String>> halves(String resource) {
        List<String> lines = lines(resource);
        return Stream.of(0, 1)
                .map(half -> IntStream.range(0, lines.size())
                        .filter(line -> line % 2 == half)
                        .mapToObj(lines::get)
                        .flatMap(line -> Stream.of(line.split(" ")))
                        .toList())
                .toList();
    }

    /** Fills a template: its begin, part or end, by their number. */
    String fill(String template, int which) {
        return fill(TEMPLATES.get(TEMPLATES.indexOf(template) + 1 + which));
    }

    /** Replaces each {@code $kind}, {@code $kind3} and {@code (a|b)} with content. */
    private String fill(String template) {
        return FIELD.matcher(template)
                .replaceAll(field -> field.group(1) == null
                        ? one(List.of(field.group(3).split("\\|", -1)))
                        : content(field.group(1), Integer.parseInt("0" + field.group(2))));
    }

    private String content(String kind, int length) {
        return switch (kind) {
            case "snowflake" ->
                String.valueOf(((begun.toEpochMilli() - SNOWFLAKE_EPOCH) << SNOWFLAKE_BITS)
                        | random.nextInt(1 << SNOWFLAKE_BITS));
            case "uuid" -> UUID.nameUUIDFromBytes(bytes(Long.BYTES)).toString();
            case "time" -> begun.toString();
            case "later" -> begun.plusSeconds(random.nextInt(HALF_YEAR_SECONDS)).toString();
            case "tick" -> begun.plusSeconds(seconds += 10).toString();
            case "digits" -> digits(length);
            case "amount" -> random.nextInt(1, 10) + digits(length - 1) + "." + digits(2);
            case "hex" -> HexFormat.of().formatHex(bytes(length));
            case "signature" -> Base64.getEncoder().encodeToString(bytes(SIGNATURE_BYTES));
            case "check" -> random.nextBoolean() ? content("signature", 0) : content("hex", SIGNATURE_BYTES / 2);
            case "scan" -> Base64.getEncoder().encodeToString(bytes(bytes * 3 / 8));
            case "place" -> one(places);
            case "words" -> words(length);
            case "company" -> one(places) + words(2) + "有限公司";
            case "sentences" -> sentences(length);
            default -> throw new IllegalArgumentException(kind);
        };
    }

    byte[] bytes(int count) {
        byte[] drawn = new byte[count];
        random.nextBytes(drawn);
        return drawn;
    }

    private String one(List<String> all) {
        return all.get(random.nextInt(all.size()));
    }

    private String words(int count) {
        return random.ints(count, 0, words.size()).mapToObj(words::get).collect(Collectors.joining());
    }

    /** Not 0 at first, as JSON has it. */
    private String digits(int count) {
        return random.ints(count, 1, 10).mapToObj(String::valueOf).collect(Collectors.joining());
    }

    /** Chinese text of about this length in UTF-8. */
    private String sentences(int length) {
        StringBuilder text = new StringBuilder();
        for (int left = length; left > 0; ) {
            String clause = fill(CLAUSES.get(random.nextInt(CLAUSES.size()))) + (random.nextInt(3) == 0 ? '。' : '，');
            text.append(clause);
            left -= clause.getBytes(StandardCharsets.UTF_8).length;
        }
        return text.toString();
    }
}
