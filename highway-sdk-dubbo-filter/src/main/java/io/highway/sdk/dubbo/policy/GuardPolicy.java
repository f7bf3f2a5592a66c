// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.policy;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the guard demands of calls. Immutable.
 *
 * @param gateways the addresses of peers that are gateways
 * @param gatewayNames the host names of peers that are gateways
 * @param home the peers that may call without route headers; null for all but gateways
 * @param require what other peers must send
 * @param isShadow whether ingress, rules and rates refuse nothing, and only report what they would
 * @param rules the rules, by name
 */
public record GuardPolicy(
        List<Subnet> gateways,
        List<String> gatewayNames,
        @Nullable List<Subnet> home,
        Requirement require,
        boolean isShadow,
        List<GuardRule> rules) {

    /** What a call must carry. */
    public enum Requirement {
        /** Nothing: it is served as a call from home. */
        NOTHING,
        /** Route headers. */
        HEADERS,
        /** Route headers with a signature. */
        SIGNATURE;

        private final String word = name().toLowerCase(Locale.ROOT);

        @Override
        public String toString() {
            return word;
        }
    }

    static final GuardPolicy OFF = new GuardPolicy(List.of(), List.of(), null, Requirement.NOTHING, false, List.of());

    public GuardPolicy {
        gateways = List.copyOf(gateways);
        gatewayNames = List.copyOf(gatewayNames);
        home = home == null ? null : List.copyOf(home);
        rules = List.copyOf(rules);
    }

    /** Whether a call without route headers can be refused. */
    public boolean restrictsIngress() {
        return hasGateways() || require != Requirement.NOTHING;
    }

    /** Sentences for the log at start-up, without a full stop. */
    public List<String> warnings(SigningKeys signing) {
        return GuardWarnings.of(this, signing);
    }

    /**
     * Sentences for the log about the rules for a service that this process exports, without a full stop.
     *
     * @param type the service's interface
     */
    public List<String> warnings(String interfaceName, Class<?> type) {
        return GuardWarnings.of(this, interfaceName, type);
    }

    /** Sentences for the log of a process that exports Dubbo's {@code MetadataService}, without a full stop. */
    public List<String> metadataWarnings() {
        return GuardWarnings.ofMetadata(this);
    }

    /** Whether any gateway is known. */
    public boolean hasGateways() {
        return !gateways.isEmpty() || !gatewayNames.isEmpty();
    }
}
