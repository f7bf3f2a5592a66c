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
 * be tried. It runs the code of a call and sends nothing. Immutable. Only the SDK implements it and the types inside it.
 *
 * <p>The QoS command {@code highwayExplain} and {@code /actuator/highwayexplain} have the same names:
 * {@code docs/reference/observability.md} describes them.
 */
public interface HighwayExplain {

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
    static List<HighwayExplain> of(ApplicationModel application, Call call) {
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

    /** {@return the service, as {@code [group/]interface[:version]}} */
    String service();

    /** {@return the method with its parameter types, such as {@code send(java.lang.String)}} */
    String method();

    /** {@return the version of the policy in force, on which the decision is based} */
    String policyVersion();

    /** {@return every source of an intent, in order of precedence} */
    List<Source> sources();

    /** {@return the rules of the decision, in order} */
    List<Rule> rules();

    /** {@return the decision} */
    Decision decision();

    /** {@return the island that a tunnel leads to, or null} */
    @Nullable
    String island();

    /** {@return the reason of a refusal, or null} */
    @Nullable
    Reason reason();

    /** {@return why, in words} */
    String why();

    /** {@return what to change, if the call is refused, or null} */
    @Nullable
    String action();

    /** {@return the endpoints in the order in which this call would try them; empty if it uses no tunnel} */
    List<HighwayReport.Endpoint> endpoints();

    /** {@return the endpoints that could carry this call and accept none now; while no other one is left, calls wait} */
    List<HighwayReport.Endpoint> skipped();

    /** {@return the route headers that would be sent, by name, with a placeholder for the signature} */
    Map<String, String> headers();

    /** {@return the limits of this call, or null if it uses no tunnel} */
    @Nullable
    Limits limits();

    /** {@return the value in force of every key of the island, by name; empty if it uses no tunnel} */
    Map<String, HighwayReport.Setting> settings();

    /** Where a call goes. */
    enum Decision {
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

    /** What a source of an intent says. */
    interface Source {

        /** {@return the source} */
        IntentSource source();

        /** {@return the island, the business key if the source is {@code key}, {@code home}, or null if it says nothing} */
        @Nullable
        String asked();

        /** {@return whether home providers come first, or null if it says nothing} */
        Island.@Nullable When when();

        /** {@return why its island cannot be determined, or null} */
        @Nullable
        String problem();

        /** {@return whether the call follows it: it is the first that says something} */
        boolean chosen();
    }

    /** A rule of the decision. */
    interface Rule {

        /** {@return its number in the documentation; rule 7 has several checks} */
        int number();

        /** {@return its name, such as {@code known-island}} */
        String rule();

        /** {@return whether it decides} */
        Result result();

        /** {@return why, in words, or null if it is not reached} */
        @Nullable
        String why();

        /** What a rule does with the call. */
        enum Result {
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

    /** What limits a call through a tunnel. */
    interface Limits {

        /** {@return its class, by the method; with {@code bulk.over}, a larger request is bulk in any case} */
        TrafficClass trafficClass();

        /** {@return the time for all attempts, milliseconds} */
        long timeoutMillis();

        /** {@return how often it is tried again if it may have run; 0 unless the method is idempotent} */
        int retries();

        /** {@return the size from which on a request is refused, bytes} */
        int maxRequestBytes();

        /** {@return the maximum number of calls of its class in flight to the island now, or null if it is unlimited or not known yet} */
        @Nullable
        Integer maxConcurrent();

        /** {@return how long it waits for a permit, milliseconds} */
        int maxWaitMillis();

        /** {@return whether home serves it if it was certainly not sent} */
        boolean fallbackHome();
    }

    /** A call to explain. Immutable. */
    final class Call {

        private final String service;
        private final String method;
        private final @Nullable List<@Nullable Object> arguments;
        private final @Nullable String key;
        private final @Nullable String island;
        private final @Nullable String scope;

        private Call(
                String service,
                String method,
                @Nullable List<@Nullable Object> arguments,
                @Nullable String key,
                @Nullable String island,
                @Nullable String scope) {
            this.service = Objects.requireNonNull(service, "service");
            this.method = Objects.requireNonNull(method, "method");
            this.arguments = arguments;
            this.key = key;
            this.island = island;
            this.scope = scope;
        }

        /**
         * {@return a call}
         *
         * @param service the service, as {@code [group/]interface[:version]}; without group and version, the call may
         *     mean any
         * @param method the method, such as {@code send}, or {@code send(java.lang.String)} for one of several overloads
         */
        public static Call of(String service, String method) {
            return new Call(service, method, null, null, null, null);
        }

        /**
         * {@return the same call with these arguments}
         *
         * @param values the arguments; an argument with {@code @IslandKey} names the island
         */
        public Call arguments(@Nullable Object... values) {
            return new Call(
                    service, method, Collections.unmodifiableList(Arrays.asList(values.clone())), key, island, scope);
        }

        /**
         * {@return the same call with this business key, as if it were read from the argument with {@code @IslandKey}}
         *
         * @param value the key
         */
        public Call key(String value) {
            return new Call(service, method, arguments, Objects.requireNonNull(value, "value"), island, scope);
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
            return new Call(service, method, arguments, key, island, Objects.requireNonNull(value, "value"));
        }

        /** {@return the service} */
        public String service() {
            return service;
        }

        /** {@return the method} */
        public String method() {
            return method;
        }

        /** {@return the arguments, or null if none are given} */
        public @Nullable List<@Nullable Object> arguments() {
            return arguments;
        }

        /** {@return the business key, or null} */
        public @Nullable String key() {
            return key;
        }

        /** {@return the attachment, or null} */
        public @Nullable String attachment() {
            return island;
        }

        /** {@return the scope, or null} */
        public @Nullable String scope() {
            return scope;
        }
    }
}
