// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import io.highway.sdk.internal.Texts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * The settings in force and the state of every gateway and endpoint at one moment, without secrets. Immutable. Only the
 * SDK implements it and the types inside it.
 *
 * <p>{@code /actuator/highway} has the same names: {@code docs/reference/observability.md} describes them.
 */
public interface HighwayReport {

    /**
     * {@return the current report; empty before the application's first reference or service, while the highway is off, and
     * after the application was destroyed}
     *
     * <p>Reading it costs no call and opens no connection. Thread-safe.
     *
     * @param application the application model, such as {@code ApplicationModel.defaultModel()}; with Spring, it is a bean
     */
    static Optional<HighwayReport> of(ApplicationModel application) {
        try {
            return InternalReports.of("report", application);
        } catch (IllegalStateException e) { // from Dubbo, if the application is destroyed now
            if (application.isDestroyed()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** {@return the island this process runs in} */
    String home();

    /** {@return the policy in force} */
    Policy policy();

    /** {@return what happens to calls for islands that are not configured} */
    UnknownIslands unknownIslands();

    /** {@return how many islands a chain of calls may cross} */
    int maxHops();

    /** {@return the keys that sign and verify route headers} */
    Signing signing();

    /** {@return every gateway address that any destination uses, by tunnel and address} */
    List<Gateway> gateways();

    /**
     * {@return the services that this process exports, as {@code [group/]interface[:version]}, with the protocols on which
     * the guard checks their calls, such as {@code dubbo} and {@code tri}}
     */
    Map<String, Set<String>> guardedServices();

    /** {@return who answers for callers from other islands: owners by the pattern {@code island/application}} */
    Map<String, String> callerOwners();

    /** {@return the configured destinations, by id} */
    Map<String, Island> islands();

    /** What happens to calls for islands that are not configured. */
    enum UnknownIslands {
        /** They are refused. */
        REFUSE,
        /** The gateway decides. */
        GATEWAY;

        @Override
        public String toString() {
            return Texts.word(this);
        }
    }

    /** The policy in force. */
    interface Policy {

        /** {@return its version: the label of the rule or the first characters of its hash; {@code static} without a rule} */
        String version();

        /** {@return the SHA-256 of the rule in force, which identifies it, or null for the static configuration} */
        @Nullable
        String hash();

        /** {@return what has become of the rule that is published} */
        Policy.State state();

        /**
         * {@return {@code config-center}, the same with a colon and the key for the rule of the application,
         * {@code file:} and its path, {@code disk} for the last good rule, or {@code static}}
         */
        String source();

        /** {@return since when it is in force, as ISO-8601 in UTC with milliseconds} */
        String since();

        /**
         * {@return why no change arrives at present, such as a config centre that is down, or what the rule leaves out of
         * the static configuration, or null; a text for people}
         */
        @Nullable
        String problem();

        /** {@return the last rule that was refused since the start, or null} */
        @Nullable
        Refusal refusal();

        /** What has become of the rule that is published. */
        enum State {
            /** It is in force. */
            ACCEPTED,
            /** It is wrong, and another policy stays in force. */
            REFUSED,
            /** There is no rule. */
            STATIC;

            @Override
            public String toString() {
                return Texts.word(this);
            }
        }
    }

    /** A rule of the dynamic policy that was refused as a whole. */
    interface Refusal {

        /** {@return its version: its label, or the first characters of its hash} */
        String version();

        /** {@return the full key that is wrong, or {@code highway.policy} for the rule itself} */
        String key();

        /** {@return where that key is written, such as {@code highway.policy, line 12}, or null} */
        @Nullable
        String origin();

        /** {@return what is wrong, what is allowed, and what to do} */
        String reason();

        /** {@return when it was refused, as ISO-8601 in UTC with milliseconds} */
        String refusedAt();
    }

    /** The keys that sign and verify route headers, by id. */
    interface Signing {

        /** {@return the id of the key that signs route headers, or null if they are not signed} */
        @Nullable
        String keyId();

        /** {@return the ids of the keys whose signatures are accepted; empty if unsigned calls are} */
        List<String> acceptedKeyIds();

        /**
         * {@return the full keys of secrets whose files cannot be used at present: the last good secrets are in force, and a
         * start would fail}
         */
        List<String> unusableSecrets();
    }

    /** One gateway address. */
    interface Gateway {

        /** {@return the protocol that it speaks there} */
        TunnelKind tunnel();

        /** {@return {@code host:port}, the {@code gateway} of endpoints, outcomes and meters} */
        String address();

        /** {@return its name or IP address, IPv6 without brackets} */
        String host();

        /** {@return its port, 1 to 65535} */
        int port();

        /** {@return whether connections use TLS} */
        boolean secured();

        /** {@return whether it is a gateway of home and not of a single destination} */
        boolean home();

        /** {@return the calls that its connections carry} */
        TrafficClass trafficClass();

        /** {@return the state of its connections} */
        Gateway.State state();

        /** {@return why it is down, or null; a text for people} */
        @Nullable
        String problem();

        /** The state of the connections to a gateway. */
        enum State {
            /** Calls can use them. */
            UP,
            /** They are lost; the SDK reconnects. */
            DOWN,
            /** No reference has needed them yet. */
            UNUSED;

            @Override
            public String toString() {
                return Texts.word(this);
            }
        }
    }

    /** One island as a destination. */
    interface Island {

        /** {@return the tunnel in use, or null while no endpoint accepts calls} */
        @Nullable
        TunnelKind tunnel();

        /** {@return the maximum number of calls in flight, or null if it is unlimited or no reference needs the island} */
        @Nullable
        Integer maxConcurrent();

        /** {@return its endpoints; empty until a reference needs one} */
        List<Endpoint> endpoints();

        /** {@return the endpoints of services with gateways of their own, by their pattern; empty for most islands} */
        Map<String, List<Endpoint>> services();

        /** {@return what bulk calls use, or null if no call is bulk or no reference needs the island} */
        @Nullable
        Bulk bulk();

        /** {@return the value in force of every key of an island, by name, such as {@code max-request-size}} */
        Map<String, Setting> settings();

        /** {@return the outcome of the last call, or null if there was none} */
        @Nullable
        LastOutcome lastOutcome();
    }

    /** What bulk calls to an island use. */
    interface Bulk {

        /** {@return the tunnel in use, or null while no endpoint accepts calls} */
        @Nullable
        TunnelKind tunnel();

        /** {@return the maximum number of bulk calls in flight, or null if it is unlimited} */
        @Nullable
        Integer maxConcurrent();

        /** {@return the bulk calls in flight, without streams; 0 if they are unlimited} */
        int inFlight();

        /** {@return the endpoints of bulk calls} */
        List<Endpoint> endpoints();
    }

    /** One endpoint: a gateway address as used for one island. */
    interface Endpoint {

        /** {@return the protocol of its gateway} */
        TunnelKind tunnel();

        /** {@return the {@code address} of its gateway, {@code host:port}} */
        String gateway();

        /** {@return its health} */
        Endpoint.State state();

        /** {@return why it is not healthy, or null; a text for people} */
        @Nullable
        String problem();

        /** {@return the round-trip time of the last answered health check, milliseconds, or null} */
        @Nullable
        Long roundTripMillis();

        /** The health of an endpoint. */
        enum State {
            /** Calls use it. */
            UP,
            /** A call got no answer; other endpoints come first. */
            SUSPECT,
            /** Health checks do not reach the island; other endpoints come first. */
            SILENT,
            /** A few calls are admitted; their results decide. */
            HALF_OPEN,
            /** Its circuit breaker refuses calls. */
            OPEN,
            /** Its connection is lost. */
            DOWN,
            /** No call has needed it yet; in explanations only. */
            UNUSED;

            @Override
            public String toString() {
                return Texts.word(this);
            }
        }
    }

    /** A value in force. */
    interface Setting {

        /** {@return the value as it is written, or the default; passwords are {@code ******}} */
        String value();

        /** {@return the full key that sets it, or null for a default} */
        @Nullable
        String key();

        /** {@return where that key is written, such as {@code system property}, or {@code default}} */
        String origin();
    }

    /** The outcome of a call. */
    interface LastOutcome {

        /** {@return how it ended} */
        Outcome outcome();

        /** {@return why it was not delivered, or null} */
        @Nullable
        Reason reason();

        /** {@return the call as {@code interface#method}} */
        String call();

        /** {@return the tunnel of the last attempt, or null if there was none} */
        @Nullable
        TunnelKind tunnel();

        /** {@return the gateway's address of the last attempt, or null if there was none} */
        @Nullable
        String gateway();

        /** {@return whether home served it instead} */
        boolean servedAtHome();

        /** {@return the duration of the tunnelled call, milliseconds} */
        long durationMillis();

        /** {@return when it ended, as ISO-8601 in UTC with milliseconds} */
        String endedAt();
    }
}
