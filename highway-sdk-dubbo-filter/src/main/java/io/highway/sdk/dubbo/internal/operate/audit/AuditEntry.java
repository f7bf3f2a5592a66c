// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.audit;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of the audit trail. {@code docs/operate/audit.md} describes its fields. It has names, words and numbers: never an
 * argument, a result, an attachment's value or a secret. Immutable.
 *
 * @param crossing the call
 * @param millis when the line was made, milliseconds since the epoch
 * @param trace the trace id, or null if the call has none
 * @param tunnel {@code dubbo} or {@code triple}, or null if there was no attempt
 * @param gateway the gateway's address at the caller, the connection's peer at the destination; null if there is none
 * @param end how the call ended, or null before it runs
 */
record AuditEntry(
        Crossing crossing,
        long millis,
        @Nullable String trace,
        @Nullable String tunnel,
        @Nullable String gateway,
        @Nullable End end) {

    /** A longer text is cut: a caller can send a method name of megabytes. */
    static final int MOST_CHARACTERS = 512;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /** Seen from the process that writes the line. */
    enum Direction {
        OUT,
        IN
    }

    /**
     * What is known of a call before it runs.
     *
     * @param decision {@code tunnel}, {@code serve}, {@code shadow} or {@code refuse}
     * @param rule the rule of the guard that decided, or null
     * @param policy the version of the active policy
     */
    record Crossing(Direction direction, From from, To to, String decision, @Nullable String rule, String policy) {}

    /**
     * The caller, as far as it is known.
     *
     * @param verified {@code island} or {@code application} if a signature proves it, with the island; otherwise null
     * @param key the id of the key whose signature was valid, or null
     * @param owner who answers for the caller, or null
     */
    record From(
            @Nullable String island,
            @Nullable String application,
            @Nullable String verified,
            @Nullable String key,
            @Nullable String owner) {

        static final From UNKNOWN = new From(null, null, null, null, null);

        private Map<String, @Nullable Object> fields() {
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            fields.put("island", island);
            fields.put("application", application);
            fields.put("verified", verified);
            fields.put("key", key);
            fields.put("owner", owner);
            return fields;
        }
    }

    /**
     * What was called; group and version are null if the service has none.
     *
     * @param asked the island that was asked for, if another one serves the call; otherwise null
     */
    record To(
            @Nullable String island,
            @Nullable String asked,
            String service,
            String method,
            @Nullable String group,
            @Nullable String version) {

        private Map<String, @Nullable Object> fields() {
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            fields.put("island", island);
            fields.put("asked", asked);
            fields.put("service", service);
            fields.put("method", method);
            fields.put("group", group);
            fields.put("version", version);
            return fields;
        }
    }

    /**
     * How a call ended.
     *
     * @param outcome {@code delivered}, {@code not-sent}, {@code sent-unknown} or {@code refused}
     * @param reason why it was not delivered, or why it would be refused without the shadow mode; otherwise null
     * @param sent whether the service may have run
     * @param fallback {@code home} if home serves the call instead, the island that has taken it by {@code fallback},
     *     otherwise null
     * @param exception the class name of the exception that the service answered with, or null
     * @param bytes the size of the request, or a negative number if it was not measured
     * @param millis the duration in milliseconds
     */
    record End(
            String outcome,
            @Nullable String reason,
            boolean sent,
            @Nullable String fallback,
            @Nullable String exception,
            long bytes,
            long millis) {}

    /** As much of a text as can affect what is written, to keep for later. */
    static String cut(String text) {
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS + 1);
    }

    /** The line as JSON. */
    String json() {
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("time", TIME.format(Instant.ofEpochMilli(millis)));
        line.put("event", end == null ? "start" : "end");
        line.put("direction", crossing.direction == Direction.OUT ? "out" : "in");
        line.put("trace", trace);
        line.put("from", crossing.from.fields());
        line.put("to", crossing.to.fields());
        line.put("decision", crossing.decision);
        line.put("rule", crossing.rule);
        line.put("policy", crossing.policy);
        line.put("tunnel", tunnel);
        line.put("gateway", gateway);
        if (end != null) {
            line.put("outcome", end.outcome);
            line.put("reason", end.reason);
            line.put("sent", end.sent);
            line.put("fallback", end.fallback);
            line.put("exception", end.exception);
            line.put("bytes", end.bytes < 0 ? null : Long.valueOf(end.bytes));
            line.put("millis", end.millis);
        }
        return JsonWriter.of(line, MOST_CHARACTERS);
    }
}
