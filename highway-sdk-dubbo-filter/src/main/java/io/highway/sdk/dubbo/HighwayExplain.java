// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import io.highway.sdk.Island;
import io.highway.sdk.internal.Texts;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * Explains what a call would do now: what each source of an intent says, which rule decides, and which endpoints would
 * be tried. It runs the code of a call and sends nothing. Immutable. Only the SDK creates it; later versions may
 * have more components.
 *
 * <p>The QoS command {@code highwayExplain} and {@code /actuator/highwayexplain} have the same names:
 * {@code docs/reference/observability.md} describes them.
 *
 * @param service the service, as {@code [group/]interface[:version]}
 * @param method the method with its parameter types, such as {@code send(java.lang.String)}
 * @param policyVersion the version of the active policy, on which the decision is based
 * @param sources every source of an intent, in order of precedence
 * @param rules the rules of the decision, in order
 * @param decision the decision
 * @param island the island that a tunnel leads to, or null
 * @param reason the reason of a refusal, or null
 * @param why why, in words
 * @param action what to change, if the call is refused, or null
 * @param endpoints the endpoints in the order in which this call would try them; empty if it uses no tunnel
 * @param skipped the endpoints that could carry this call and accept none now; while no other one is left, calls wait
 * @param headers the route headers that would be sent, by name, with a placeholder for the signature
 * @param limits the limits of this call, or null if it uses no tunnel
 * @param settings the active value of every key of the island, by name; empty if it uses no tunnel
 */
public record HighwayExplain(
        String service,
        String method,
        String policyVersion,
        List<Source> sources,
        List<Rule> rules,
        Decision decision,
        @Nullable String island,
        @Nullable Reason reason,
        String why,
        @Nullable String action,
        List<HighwayReport.Endpoint> endpoints,
        List<HighwayReport.Endpoint> skipped,
        Map<String, String> headers,
        @Nullable Limits limits,
        Map<String, HighwayReport.Setting> settings) {

    /**
     * {@return the explanations of a call: one for each reference of the service and each overload of the method that the
     * call may mean; empty while the highway is off, and before the application's first reference or service}
     *
     * <p>The scope and the attachments of the current thread apply as in a call, and stay as they are. Thread-safe.
     *
     * @param application the application model, such as {@code ApplicationModel.defaultModel()}; with Spring, it is a
     *     bean
     * @param call the call
     * @throws IllegalArgumentException if the application has no reference of the service, or the service has no such
     *     method
     */
    public static List<HighwayExplain> of(ApplicationModel application, Call call) {
        try {
            Function<Call, List<HighwayExplain>> explain = InternalReports.of("explain", application);
            return explain.apply(call);
        } catch (IllegalStateException e) { // from Dubbo, if the application is destroyed now
            if (application.isDestroyed()) {
                return List.of();
            }
            throw e;
        }
    }

    /** Where a call goes. */
    public enum Decision {
        /** Home serves it. */
        HOME,
        /** A tunnel carries it to an island. */
        TUNNEL,
        /** Nothing is sent. */
        REFUSED;

        @Override
        public String toString() {
            return Texts.word(this);
        }
    }

    /**
     * What a source of an intent says.
     *
     * @param source the source
     * @param asked the island, the business key if the source is {@code key}, {@code home}, or null if it says nothing
     * @param when whether home providers come first, or null if it says nothing
     * @param problem why its island cannot be determined, or null
     * @param chosen whether the call follows it: it is the first that says something
     */
    public record Source(
            IntentSource source,
            @Nullable String asked,
            Island.@Nullable When when,
            @Nullable String problem,
            boolean chosen) {}

    /**
     * A rule of the decision.
     *
     * @param number its number in the documentation; rule 7 has several checks
     * @param rule its name, such as {@code known-island}
     * @param result whether it decides
     * @param why why, in words, or null if it is not reached
     */
    public record Rule(int number, String rule, Result result, @Nullable String why) {

        /** What a rule does with the call. */
        public enum Result {
            /** The next rule is asked. */
            PASS,
            /** It decides. */
            STOP,
            /** A rule before it decides. */
            NOT_REACHED;

            @Override
            public String toString() {
                return Texts.word(this);
            }
        }
    }

    /**
     * What limits a call through a tunnel.
     *
     * @param trafficClass its class, by the method; with {@code bulk.over}, a larger request is bulk in any case
     * @param timeoutMillis the time for all attempts, milliseconds
     * @param retries how often it is tried again if it may have run; 0 unless the method is idempotent
     * @param maxRequestBytes the size from which on a request is refused, bytes
     * @param maxConcurrent the maximum number of calls of its class in flight to the island now, or null if it is unlimited or not known yet
     * @param maxWaitMillis how long it waits for a permit, milliseconds
     * @param fallbackHome whether home serves it if it was certainly not sent
     * @param fallback who may serve it if it certainly did not run: {@code home}, an island, or null for none
     */
    public record Limits(
            TrafficClass trafficClass,
            long timeoutMillis,
            int retries,
            int maxRequestBytes,
            @Nullable Integer maxConcurrent,
            int maxWaitMillis,
            boolean fallbackHome,
            @Nullable String fallback) {}

    /**
     * A call to explain. Immutable.
     *
     * @param service the service, as {@code [group/]interface[:version]}
     * @param method the method, as in {@link #of}
     * @param arguments the arguments, or null if none are given
     * @param key the business key, or null
     * @param attachment the attachment {@code highway-island}, or null
     * @param scope the scope, or null
     */
    public record Call(
            String service,
            String method,
            @Nullable List<@Nullable Object> arguments,
            @Nullable String key,
            @Nullable String attachment,
            @Nullable String scope) {

        /**
         * {@return a call}
         *
         * @param service the service, as {@code [group/]interface[:version]}; without group and version, the call may
         *     mean any
         * @param method the method, such as {@code send}, or {@code send(java.lang.String)} for one of several overloads
         */
        public static Call of(String service, String method) {
            return new Call(
                    Objects.requireNonNull(service, "service"),
                    Objects.requireNonNull(method, "method"),
                    null,
                    null,
                    null,
                    null);
        }

        /**
         * {@return the same call with these arguments}
         *
         * @param values the arguments; an argument with {@code @IslandKey} names the island
         */
        public Call arguments(@Nullable Object... values) {
            return new Call(
                    service,
                    method,
                    Collections.unmodifiableList(Arrays.asList(values.clone())),
                    key,
                    attachment,
                    scope);
        }

        /**
         * {@return the same call with this business key, as if it were read from the argument with {@code @IslandKey}}
         *
         * @param value the key
         */
        public Call key(String value) {
            return new Call(service, method, arguments, Objects.requireNonNull(value, "value"), attachment, scope);
        }

        /**
         * {@return the same call with the attachment {@code highway-island}}
         *
         * @param value the island
         */
        public Call attachment(String value) {
            return new Call(service, method, arguments, key, Objects.requireNonNull(value, "value"), scope);
        }

        /**
         * {@return the same call within a scope, or by a bound proxy}
         *
         * @param value the island, or {@code home}
         */
        public Call scope(String value) {
            return new Call(service, method, arguments, key, attachment, Objects.requireNonNull(value, "value"));
        }
    }
}
