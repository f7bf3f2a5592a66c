// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.Caller;
import io.highway.sdk.internal.Texts;
import java.util.List;
import java.util.Map;
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
 * @param callers who answers for callers
 * @param standsInFor by island, the methods that are served for calls that asked for that island
 */
public record GuardPolicy(
        List<Subnet> gateways,
        List<String> gatewayNames,
        @Nullable List<Subnet> home,
        Requirement require,
        boolean isShadow,
        List<GuardRule> rules,
        Callers callers,
        Map<String, MethodPatterns> standsInFor) {

    /**
     * Who answers for callers.
     *
     * @param owners of those that match a caller, the first counts
     * @param refusesUnknown whether callers without an owner are refused
     */
    public record Callers(List<CallerOwner> owners, boolean refusesUnknown) {

        public Callers {
            owners = List.copyOf(owners);
        }
    }

    /** What a call must carry. */
    public enum Requirement {
        /** Nothing: it is served as a call from home. */
        NOTHING,
        /** Route headers. */
        HEADERS,
        /** Route headers with a signature. */
        SIGNATURE;

        @Override
        public String toString() {
            return Texts.word(this);
        }
    }

    static final GuardPolicy OFF = new GuardPolicy(
            List.of(), List.of(), null, Requirement.NOTHING, false, List.of(), new Callers(List.of(), false), Map.of());

    public GuardPolicy {
        gateways = List.copyOf(gateways);
        gatewayNames = List.copyOf(gatewayNames);
        home = home == null ? null : List.copyOf(home);
        rules = List.copyOf(rules);
        standsInFor = Map.copyOf(standsInFor);
    }

    /**
     * Who answers for a caller, or null.
     *
     * @param demandsSignature whether a signature must prove the names that the entry depends on
     */
    @Nullable
    String ownerOf(@Nullable Caller caller, boolean demandsSignature) {
        if (caller == null) {
            return null;
        }
        for (CallerOwner one : callers.owners) {
            if (one.callers().matches(caller, demandsSignature)) {
                return one.owner();
            }
        }
        return null;
    }

    /** Whether a call without route headers can be refused. */
    public boolean restrictsIngress() {
        return !gateways.isEmpty() || !gatewayNames.isEmpty() || require != Requirement.NOTHING;
    }

    /** Whether every gateway is known by its address, so that other peers are none. */
    public boolean knowsGateways() {
        return !gateways.isEmpty() && gatewayNames.isEmpty();
    }
}
