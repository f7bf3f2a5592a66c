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
 * The active settings and the state of every gateway and endpoint at one moment, without secrets. Immutable. Only the
 * SDK creates it; later versions may have more components.
 *
 * <p>{@code /actuator/highway} has the same names: {@code docs/reference/observability.md} describes them.
 *
 * @param home the island this process runs in
 * @param policy the active policy
 * @param maxHops how many islands a chain of calls may cross
 * @param signing the keys that sign and verify route headers
 * @param gateways every gateway address that any destination uses, by tunnel and address
 * @param guardedServices the services that this process exports, as {@code [group/]interface[:version]}, with the protocols on which the guard checks their calls, such as {@code dubbo} and {@code tri}
 * @param callerOwners who answers for callers from other islands: owners by the pattern {@code island/application}
 * @param islands the configured destinations, by id
 */
public record HighwayReport(
        String home,
        Policy policy,
        int maxHops,
        Signing signing,
        List<Gateway> gateways,
        Map<String, Set<String>> guardedServices,
        Map<String, String> callerOwners,
        Map<String, Island> islands) {

    /**
     * {@return the current report; empty before the application's first reference or service, while the highway is off, and
     * after the application was destroyed}
     *
     * <p>Reading it costs no call and opens no connection. Thread-safe.
     *
     * @param application the application model, such as {@code ApplicationModel.defaultModel()}; with Spring, it is a bean
     */
    public static Optional<HighwayReport> of(ApplicationModel application) {
        try {
            return InternalReports.of("report", application);
        } catch (IllegalStateException e) { // from Dubbo, if the application is destroyed now
            if (application.isDestroyed()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * The active policy.
     *
     * @param version its version: the label of the rule or the first characters of its hash; {@code static} without a rule
     * @param hash the SHA-256 of the active rule, which identifies it, or null for the static configuration
     * @param state what has become of the rule that is published
     * @param source {@code config-center}, the same with a colon and the key for the rule of the application, {@code file:} and its path, {@code disk} for the last good rule, or {@code static}
     * @param since since when it is active, as ISO-8601 in UTC with milliseconds
     * @param problem why no change arrives at present, such as a config centre that is down, or what the rule leaves out of the static configuration, or null; a text for people
     * @param refusal the last rule that was refused since the start, or null
     */
    public record Policy(
            String version,
            @Nullable String hash,
            Policy.State state,
            String source,
            String since,
            @Nullable String problem,
            @Nullable Refusal refusal) {

        /** What has become of the rule that is published. */
        public enum State {
            /** It is active. */
            ACCEPTED,
            /** It is wrong, and another policy stays active. */
            REFUSED,
            /** There is no rule. */
            STATIC;

            @Override
            public String toString() {
                return Texts.word(this);
            }
        }
    }

    /**
     * A rule of the dynamic policy that was refused as a whole.
     *
     * @param version its version: its label, or the first characters of its hash
     * @param key the full key that is wrong, or {@code highway.policy} for the rule itself
     * @param origin where that key is written, such as {@code highway.policy, line 12}, or null
     * @param reason what is wrong, what is allowed, and what to do
     * @param refusedAt when it was refused, as ISO-8601 in UTC with milliseconds
     */
    public record Refusal(String version, String key, @Nullable String origin, String reason, String refusedAt) {}

    /**
     * The keys that sign and verify route headers, by id.
     *
     * @param keyId the id of the key that signs route headers, or null if they are not signed
     * @param acceptedKeyIds the ids of the keys whose signatures are accepted; empty if unsigned calls are
     * @param unusableSecrets the full keys of secrets whose files cannot be used at present: the last good secrets are active, and a start would fail
     */
    public record Signing(@Nullable String keyId, List<String> acceptedKeyIds, List<String> unusableSecrets) {}

    /**
     * One gateway address.
     *
     * @param tunnel the protocol that it speaks there
     * @param address {@code host:port}, the {@code gateway} of endpoints, outcomes and meters
     * @param host its name or IP address, IPv6 without brackets
     * @param port its port, 1 to 65535
     * @param secured whether connections use TLS
     * @param home whether it is a gateway of home and not of a single destination
     * @param trafficClass the calls that its connections carry
     * @param state the state of its connections
     * @param problem why it is down, or null; a text for people
     */
    public record Gateway(
            TunnelKind tunnel,
            String address,
            String host,
            int port,
            boolean secured,
            boolean home,
            TrafficClass trafficClass,
            Gateway.State state,
            @Nullable String problem) {

        /** The state of the connections to a gateway. */
        public enum State {
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

    /**
     * One island as a destination.
     *
     * @param tunnel the tunnel in use, or null while no endpoint accepts calls
     * @param maxConcurrent the maximum number of calls in flight, or null if it is unlimited or no reference needs the island
     * @param endpoints its endpoints; empty until a reference needs one
     * @param services the endpoints of services with separate gateways, by their pattern; empty for most islands
     * @param bulk what bulk calls use, or null if no call is bulk or no reference needs the island
     * @param settings the active value of every key of an island, by name, such as {@code max-request-size}
     * @param inFlight the calls in flight that are not bulk, without streams
     * @param callsLastMinute the calls that ended in the last minute, of all classes
     * @param failuresLastMinute those of them that were not delivered, also if home or another island served them instead
     * @param lastOutcome the outcome of the last call, or null if there was none
     */
    public record Island(
            @Nullable TunnelKind tunnel,
            @Nullable Integer maxConcurrent,
            List<Endpoint> endpoints,
            Map<String, List<Endpoint>> services,
            @Nullable Bulk bulk,
            Map<String, Setting> settings,
            long inFlight,
            int callsLastMinute,
            int failuresLastMinute,
            @Nullable LastOutcome lastOutcome) {}

    /**
     * What bulk calls to an island use.
     *
     * @param tunnel the tunnel in use, or null while no endpoint accepts calls
     * @param maxConcurrent the maximum number of bulk calls in flight, or null if it is unlimited
     * @param inFlight the bulk calls in flight, without streams; 0 if they are unlimited
     * @param endpoints the endpoints of bulk calls
     */
    public record Bulk(
            @Nullable TunnelKind tunnel, @Nullable Integer maxConcurrent, int inFlight, List<Endpoint> endpoints) {}

    /**
     * One endpoint: a gateway address as used for one island.
     *
     * @param tunnel the protocol of its gateway
     * @param gateway the {@code address} of its gateway, {@code host:port}
     * @param state its health
     * @param problem why it is not healthy, or null; a text for people
     * @param roundTripMillis the round-trip time of the last answered health check, milliseconds, or null
     */
    public record Endpoint(
            TunnelKind tunnel,
            String gateway,
            Endpoint.State state,
            @Nullable String problem,
            @Nullable Long roundTripMillis) {

        /** The health of an endpoint. */
        public enum State {
            /** Calls use it. */
            UP,
            /** Connected; nothing has been answered over it yet. Calls use it. */
            UNKNOWN,
            /** A call, or a heartbeat of the connection, got no answer; other endpoints come first. */
            SUSPECT,
            /** Health checks do not reach the island; other endpoints come first. */
            SILENT,
            /** The guard of another island answered; other endpoints come first. */
            MISROUTED,
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

    /**
     * An active value.
     *
     * @param value the value as it is written, or the default; passwords are {@code ******}
     * @param key the full key that sets it, or null for a default
     * @param origin where that key is written, such as {@code system property}, or {@code default}
     */
    public record Setting(String value, @Nullable String key, String origin) {}

    /**
     * The outcome of a call.
     *
     * @param outcome how it ended
     * @param reason why it was not delivered, or null
     * @param call the call as {@code interface#method}
     * @param tunnel the tunnel of the last attempt, or null if there was none
     * @param gateway the gateway's address of the last attempt, or null if there was none
     * @param servedAtHome whether home served it instead
     * @param durationMillis the duration of the tunnelled call, milliseconds
     * @param endedAt when it ended, as ISO-8601 in UTC with milliseconds
     */
    public record LastOutcome(
            Outcome outcome,
            @Nullable Reason reason,
            String call,
            @Nullable TunnelKind tunnel,
            @Nullable String gateway,
            boolean servedAtHome,
            long durationMillis,
            String endedAt) {}
}
