// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.audit;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
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
record AuditLine(
        Crossing crossing,
        long millis,
        @Nullable String trace,
        @Nullable String tunnel,
        @Nullable String gateway,
        @Nullable End end) {

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
     * @param policy the version of the policy in force
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

        private void write(JsonWriter json) {
            json.open("from")
                    .text("island", island)
                    .text("application", application)
                    .text("verified", verified)
                    .text("key", key)
                    .text("owner", owner)
                    .close();
        }
    }

    /** What was called; group and version are null if the service has none. */
    record To(
            @Nullable String island, String service, String method, @Nullable String group, @Nullable String version) {

        private void write(JsonWriter json) {
            json.open("to")
                    .text("island", island)
                    .text("service", service)
                    .text("method", method)
                    .text("group", group)
                    .text("version", version)
                    .close();
        }
    }

    /**
     * How a call ended.
     *
     * @param outcome {@code delivered}, {@code not-sent}, {@code sent-unknown} or {@code refused}
     * @param reason why it was not delivered, or why it would be refused without the shadow mode; otherwise null
     * @param sent whether the service may have run
     * @param fallback {@code home} if home serves the call instead, otherwise null
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

    /** The line as JSON. */
    String json() {
        JsonWriter json = new JsonWriter()
                .text("time", TIME.format(Instant.ofEpochMilli(millis)))
                .text("event", end == null ? "start" : "end")
                .text("direction", crossing.direction == Direction.OUT ? "out" : "in")
                .text("trace", trace);
        crossing.from.write(json);
        crossing.to.write(json);
        json.text("decision", crossing.decision)
                .text("rule", crossing.rule)
                .text("policy", crossing.policy)
                .text("tunnel", tunnel)
                .text("gateway", gateway);
        if (end != null) {
            json.text("outcome", end.outcome)
                    .text("reason", end.reason)
                    .flag("sent", end.sent)
                    .text("fallback", end.fallback)
                    .text("exception", end.exception);
            if (end.bytes >= 0) {
                json.number("bytes", end.bytes);
            }
            json.number("millis", end.millis);
        }
        return json.end();
    }
}
