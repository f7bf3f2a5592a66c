// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import io.highway.sdk.internal.Texts;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * An end-to-end check of one island over each of its endpoints, which names the hop that is broken. Immutable. Only the
 * SDK creates it; later versions may have more components.
 *
 * <p>The QoS command {@code highwayProbe} and {@code /actuator/highwayprobe} show the same: {@code docs/operate/operations.md}
 * describes the steps and hops.
 *
 * @param island the island's id
 * @param reachable whether the island has answered over an endpoint
 * @param service the service that was asked, as {@code [group/]interface[:version]}: {@code highway.heartbeat.service}, one that this process has called there, or one that it refers to
 * @param endpoints its endpoints, in the order of the policy; empty if it has no gateway
 */
public record HighwayProbe(String island, boolean reachable, String service, List<Endpoint> endpoints) {

    /**
     * Probes islands and blocks until all endpoints are checked: one round trip if they answer, 15 seconds at most. It opens
     * one connection per endpoint and sends {@code $echo} over the existing ones, like a health check; the state of
     * endpoints does not change. Thread-safe; not for event loops.
     *
     * @param application the application model, such as {@code ApplicationModel.defaultModel()}; with Spring, it is a bean
     * @param islands their ids; none for every configured island
     * @return one probe per island, by id, and one per pattern of its services with separate gateways; empty before the application's first reference or service, and while the highway
     *     is off
     * @throws IllegalArgumentException if an island is home, or is not configured and unknown ones are refused
     */
    public static List<HighwayProbe> run(ApplicationModel application, String... islands) {
        Function<Collection<String>, List<HighwayProbe>> probe = InternalReports.of("probe", application);
        return probe.apply(List.of(islands));
    }

    /** The result of a step, and of all steps of an endpoint. */
    public enum Result {
        /** Nothing to do. */
        OK,
        /** Calls pass, and something should be changed. */
        WARN,
        /** Calls do not pass. */
        FAILED;

        @Override
        public String toString() {
            return Texts.word(this);
        }
    }

    /** Where to look for the problem. */
    public enum Hop {
        /** This process and its name resolution. */
        LOCAL,
        /** The gateway's address, or the network before it. */
        GATEWAY,
        /** The open connection is dead, and a new one works. */
        CONNECTION,
        /** What is behind the gateway's port: another gateway, the network between, or the provider. */
        BEYOND_GATEWAY,
        /** The provider has answered, and refuses. */
        ISLAND;

        @Override
        public String toString() {
            return Texts.word(this);
        }
    }

    /** Whether a probe has reached a hop. */
    public enum Reach {
        /** It has answered, or forwards to others. */
        REACHED,
        /** It has not: look there. */
        NOT_REACHED,
        /** The probe did not get that far. */
        UNKNOWN;

        @Override
        public String toString() {
            return Texts.word(this);
        }
    }

    /**
     * One endpoint: a gateway address as used for one island.
     *
     * @param tunnel the protocol of its gateway
     * @param gateway the address of its gateway, {@code host:port}
     * @param result the worst result of its steps
     * @param hop the hop to look at, or null if there is no problem
     * @param hops whether the gateway, what is beyond it, and the island were reached, in this order
     * @param problem the problem, or null if there is none; a text for people
     * @param reachable whether the island has answered over it, if only by a refusal
     * @param roundTripMillis the round-trip time to the island, milliseconds, or null if it did not answer
     * @param guard the answer of the island's guard, or null if there was none, as from a provider without the SDK
     * @param steps the steps that were run, in order
     */
    public record Endpoint(
            TunnelKind tunnel,
            String gateway,
            Result result,
            @Nullable Hop hop,
            Map<Hop, Reach> hops,
            @Nullable String problem,
            boolean reachable,
            @Nullable Long roundTripMillis,
            @Nullable Guard guard,
            List<Step> steps) {}

    /**
     * What the island's guard answered; it is not signed and proves nothing.
     *
     * @param island the island that the process which answered belongs to
     * @param version the version of its SDK, or {@code unknown}
     * @param clockAheadMillis how far its clock is ahead of this process's, milliseconds, exact to half of the round trip
     */
    public record Guard(String island, String version, long clockAheadMillis) {}

    /**
     * One step.
     *
     * @param name what was checked
     * @param result its result
     * @param detail what was found; a text for people
     * @param millis its duration, milliseconds
     */
    public record Step(Name name, Result result, String detail, long millis) {

        /** What a step checks, in order. */
        public enum Name {
            /** The gateway's name has addresses. */
            RESOLVE,
            /** A new connection can be opened. */
            CONNECT,
            /** Its handshake succeeds, if it has one. */
            TLS,
            /** The gateway speaks the protocol. */
            PROTOCOL,
            /** The connection that calls use is up. */
            CONNECTION,
            /** An {@code $echo} gets through. */
            FORWARD,
            /** The guard of the island answers. */
            GUARD,
            /** The new connection is still open. */
            STABILITY;

            @Override
            public String toString() {
                return Texts.word(this);
            }
        }
    }
}
