// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.dubbo.internal.policy.GuardPolicy;
import io.highway.sdk.dubbo.internal.policy.GuardPolicy.Requirement;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.Subnet;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a call without route headers is a call from home, by the address of the connection's peer.
 *
 * <ol>
 *   <li>A gateway's is not, whatever {@code guard.home} contains.
 *   <li>With {@code guard.home}, the peers in it call from home, and no other peer does.
 *   <li>With {@code guard.gateways} that are all addresses, every other peer calls from home.
 *   <li>With none or with names, which may not be resolved yet, no peer does if {@code guard.require} is {@code headers}
 *       or {@code signature}; else every other peer does.
 * </ol>
 */
final class PeerClassifier {

    private static final String MISSING = "headers-missing";

    private PeerClassifier() {}

    /** Why a call without route headers, or with those of another call, is refused; null if it comes from home. */
    static @Nullable GuardRefusal refusalOf(GuardedCall call, GuardContext state) {
        Policy policy = call.policy();
        return call.target().isLocal() ? null : refusal(policy, call.peer(), state.names(policy.guard()));
    }

    /**
     * Whether the peer is known as home: its call needs no route headers, and an address decides that, not the absence
     * of one.
     */
    static boolean isFromHome(GuardedCall call, GuardContext state) {
        Policy policy = call.policy();
        return call.target().isLocal() || isFromHome(policy, call.peer(), state.names(policy.guard()));
    }

    /** The same, for a call over a connection. */
    static boolean isFromHome(Policy policy, @Nullable InetAddress peer, @Nullable ResolvedGateways names) {
        GuardPolicy guard = policy.guard();
        return peer != null
                && !isGateway(guard, peer, names)
                && (guard.home() == null ? guard.knowsGateways() : contain(guard.home(), peer));
    }

    private static boolean isGateway(GuardPolicy guard, InetAddress peer, @Nullable ResolvedGateways names) {
        return contain(guard.gateways(), peer) || (names != null && names.contain(peer));
    }

    /**
     * Why a call without route headers over a connection is refused; null if it comes from home.
     *
     * @param peer the address of the connection's peer, or null if it is unknown
     * @param names the resolved names of gateways, or null if none is configured by name
     */
    static @Nullable GuardRefusal refusal(Policy policy, @Nullable InetAddress peer, @Nullable ResolvedGateways names) {
        GuardPolicy guard = policy.guard();
        if (!guard.restrictsIngress()) {
            return null;
        }
        if (peer == null) {
            return withoutHeaders(policy, "the address of its peer is unknown");
        }
        String address = peer.getHostAddress();
        List<Subnet> home = guard.home();
        if (isGateway(guard, peer, names)) {
            return refusal(
                    policy,
                    "it comes from the gateway " + address
                            + " (highway.guard.gateways) without route headers of its own");
        }
        if (home != null && !contain(home, peer)) {
            return withoutHeaders(policy, "its peer " + address + " is not in highway.guard.home");
        }
        return home != null || guard.knowsGateways() || guard.require() == Requirement.NOTHING
                ? null
                : withoutHeaders(policy, "highway.guard.require is " + guard.require() + " (peer " + address + ")");
    }

    /** Of a call over HTTP, which browsers can send, too: it needs headers whatever the guard requires. */
    static GuardRefusal overHttp() {
        return GuardRefusal.of(MISSING, "it came over HTTP without route headers of its own");
    }

    private static GuardRefusal withoutHeaders(Policy policy, String why) {
        return refusal(policy, "it has no route headers of its own, and " + why);
    }

    private static boolean contain(List<Subnet> ranges, InetAddress address) {
        return ranges.stream().anyMatch(range -> range.contains(address));
    }

    private static GuardRefusal refusal(Policy policy, String detail) {
        return GuardRefusal.unlessShadow(policy, MISSING, detail + "; see highway.guard.* in " + policy.home(), null);
    }
}
