// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ResolvedGatewaysTest {

    private static final String MOVED = "gateway.test";
    private static final InetAddress GATEWAY = address("10.0.0.1");
    private static final InetAddress HOME = address("10.0.0.2");

    private final Map<String, InetAddress[]> zone = new ConcurrentHashMap<>();
    private final AtomicLong clock = new AtomicLong();
    private final ResolvedGateways names =
            new ResolvedGateways(List.of("other.test", MOVED), this::resolve, clock::get);

    private static Policy policy(String... more) {
        Map<String, String> keys = new ConcurrentHashMap<>(
                Map.of("highway.island", "shanghai", "highway.guard.gateways", MOVED, "highway.sign.accept.k", "s"));
        for (int i = 0; i < more.length; i += 2) {
            keys.put(more[i], more[i + 1]);
        }
        return PolicyParser.parse(RawSettings.of(keys, "test"), "static", null).orElseThrow();
    }

    private InetAddress[] resolve(String name) throws UnknownHostException {
        InetAddress[] addresses = zone.get(name);
        if (addresses == null) {
            throw new UnknownHostException(name);
        }
        if (addresses.length == 0) {
            throw new NoClassDefFoundError("of a resolver");
        }
        return addresses;
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private void resolveAfter(Duration duration) {
        clock.addAndGet(duration.toNanos());
        assertThat(names.resolve()).isEqualTo(10_000);
    }

    /** The reason for a refusal of a call without route headers, or {@code served}. */
    private String call(InetAddress peer, String... more) {
        GuardRefusal refusal = PeerClassifier.refusal(policy(more), peer, names);
        return refusal == null ? "served" : refusal.reason();
    }

    @Test
    void takesAPeerForAGateway_sinceItsNameIsResolved() {
        InetAddress v6 = address("2001:db8::1");
        zone.put(MOVED, new InetAddress[] {GATEWAY, v6});
        assertThat(List.of(call(GATEWAY), call(v6), call(HOME))).containsOnly("served");

        names.resolve();

        assertThat(List.of(call(GATEWAY), call(v6))).containsOnly("headers-missing");
        assertThat(call(HOME)).isEqualTo("served");
    }

    /** DNS may answer with some of the addresses only. */
    @Test
    void takesTheOldAddressForAGateway_forAnHour() {
        InetAddress after = address("10.0.0.3");
        zone.put(MOVED, new InetAddress[] {GATEWAY});
        names.resolve();
        zone.put(MOVED, new InetAddress[] {after});

        resolveAfter(Duration.ofMinutes(59));
        assertThat(List.of(call(GATEWAY), call(after))).containsOnly("headers-missing");

        resolveAfter(Duration.ofMinutes(2));
        assertThat(call(GATEWAY)).isEqualTo("served");
        assertThat(call(after)).isEqualTo("headers-missing");
    }

    @Test
    void keepsTheLastAddresses_howeverLongDnsFails() {
        InetAddress after = address("10.0.0.3");
        zone.put(MOVED, new InetAddress[] {GATEWAY});
        names.resolve();
        zone.clear();

        resolveAfter(Duration.ofMinutes(50));
        resolveAfter(Duration.ofMinutes(50));
        assertThat(call(GATEWAY)).isEqualTo("headers-missing");
        assertThat(List.of(call(HOME), call(after))).containsOnly("served");

        zone.put(MOVED, new InetAddress[] {after});
        resolveAfter(Duration.ofSeconds(10));
        assertThat(call(after)).isEqualTo("headers-missing");
    }

    @Test
    void resolvesAgain_andOtherNames_whateverTheResolverThrows() {
        zone.put("other.test", new InetAddress[0]);
        zone.put(MOVED, new InetAddress[] {GATEWAY});
        names.resolve();
        assertThat(call(GATEWAY)).isEqualTo("headers-missing");

        zone.put("other.test", new InetAddress[] {HOME});
        names.resolve();

        assertThat(call(HOME)).isEqualTo("headers-missing");
    }

    @Test
    void leavesNoGatewayOpen_ifHomeOrHeadersAreDemanded() {
        assertThat(call(GATEWAY)).isEqualTo("served");
        assertThat(call(GATEWAY, "highway.guard.home", "10.0.0.2")).isEqualTo("headers-missing");
        assertThat(call(GATEWAY, "highway.guard.require", "headers")).isEqualTo("headers-missing");
        assertThat(call(GATEWAY, "highway.guard.require", "signature", "highway.guard.gateways", MOVED + ",10.0.0.9"))
                .isEqualTo("headers-missing");
        assertThat(call(HOME, "highway.guard.home", "10.0.0.2")).isEqualTo("served");
    }

    /** Nobody is known as home by a name alone: DNS may not know the gateway's new address yet. */
    @Test
    void exemptsNobodyFromSignatures_byANameAlone() {
        zone.put(MOVED, new InetAddress[] {GATEWAY});
        names.resolve();

        assertThat(List.of(call(HOME), call(GATEWAY))).containsExactly("served", "headers-missing");
        assertThat(PeerClassifier.isFromHome(policy(), HOME, names)).isFalse();
        assertThat(PeerClassifier.isFromHome(policy("highway.guard.home", "10.0.0.0/24"), HOME, names))
                .isTrue();
        assertThat(PeerClassifier.isFromHome(policy("highway.guard.home", "10.0.0.0/24"), GATEWAY, names))
                .isFalse();
        assertThat(PeerClassifier.isFromHome(policy("highway.guard.gateways", "10.0.0.1"), HOME, null))
                .isTrue();
    }
}
