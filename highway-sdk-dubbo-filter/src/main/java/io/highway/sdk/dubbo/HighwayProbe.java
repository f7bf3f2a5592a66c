// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import io.highway.sdk.internal.Texts;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * An end-to-end check of one island over each of its endpoints, which names the hop that is broken. Immutable. Only the
 * SDK implements it and the types inside it.
 *
 * <p>The QoS command {@code highwayProbe} and {@code /actuator/highwayprobe} show the same: {@code docs/operate/operations.md}
 * describes the steps and hops.
 */
public interface HighwayProbe {

    /**
     * Probes islands and blocks until all endpoints are checked: one round trip if they answer, 15 seconds at most. It opens
     * one connection per endpoint and sends {@code $echo} over the existing ones, like a health check; the state of
     * endpoints does not change. Thread-safe; not for event loops.
     *
     * @param application the application model, such as {@code ApplicationModel.defaultModel()}; with Spring, it is a bean
     * @param islands their ids; none for every configured island
     * @return one probe per island, by id, and one per pattern of its services with gateways of their own; empty before the application's first reference or service, and while the highway
     *     is off
     * @throws IllegalArgumentException if an island is home, or is not configured and unknown ones are refused
     */
    static List<HighwayProbe> run(ApplicationModel application, String... islands) {
        Function<Collection<String>, List<HighwayProbe>> probe = InternalReports.of("probe", application);
        return probe.apply(List.of(islands));
    }

    /** {@return the island's id} */
    String island();

    /** {@return whether the island has answered over an endpoint} */
    boolean reachable();

    /**
     * {@return the service that was asked, as {@code [group/]interface[:version]}: {@code highway.heartbeat.service}, one
     * that this process has called there, or one that it refers to}
     */
    String service();

    /** {@return its endpoints, in the order of the policy; empty if it has no gateway} */
    List<Endpoint> endpoints();

    /** The result of a step, and of all steps of an endpoint. */
    enum Result {
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
    enum Hop {
        /** This process and its name resolution. */
        LOCAL,
        /** The gateway's address, or the network before it. */
        GATEWAY,
        /** The open connection is dead, and a new one works. */
        CONNECTION,
        /** Another gateway, the network between, or the provider. */
        BEYOND_GATEWAY,
        /** The provider has answered, and refuses. */
        ISLAND;

        @Override
        public String toString() {
            return Texts.word(this);
        }
    }

    /** One endpoint: a gateway address as used for one island. */
    interface Endpoint {

        /** {@return the protocol of its gateway} */
        TunnelKind tunnel();

        /** {@return the address of its gateway, {@code host:port}} */
        String gateway();

        /** {@return the worst result of its steps} */
        Result result();

        /** {@return the hop to look at, or null if there is no problem} */
        @Nullable
        Hop hop();

        /** {@return the problem, or null if there is none; a text for people} */
        @Nullable
        String problem();

        /** {@return whether the island has answered over it, if only by a refusal} */
        boolean reachable();

        /** {@return the round-trip time to the island, milliseconds, or null if it did not answer} */
        @Nullable
        Long roundTripMillis();

        /** {@return the answer of the island's guard, or null if there was none, as from a provider without the SDK} */
        @Nullable
        Guard guard();

        /** {@return the steps that were run, in order} */
        List<Step> steps();
    }

    /** What the island's guard answered; it is not signed and proves nothing. */
    interface Guard {

        /** {@return the island that the process which answered belongs to} */
        String island();

        /** {@return the version of its SDK, or {@code unknown}} */
        String version();

        /** {@return how far its clock is ahead of this process's, milliseconds, exact to half of the round trip} */
        long clockAheadMillis();
    }

    /** One step. */
    interface Step {

        /** {@return what was checked} */
        Name name();

        /** {@return its result} */
        Result result();

        /** {@return what was found; a text for people} */
        String detail();

        /** {@return its duration, milliseconds} */
        long millis();

        /** What a step checks, in order. */
        enum Name {
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
