// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.HighwaySettings;
import io.highway.sdk.dubbo.policy.Policy;
import io.highway.sdk.dubbo.policy.PolicyParser;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GatewayNamesTest {

    private static final Policy POLICY = PolicyParser.parse(
                    HighwaySettings.of(
                            Map.of("highway.island", "shanghai", "highway.guard.gateways", "gateway.test"), "test"),
                    "static",
                    null)
            .orElseThrow();

    private final Map<String, InetAddress[]> zone = new ConcurrentHashMap<>();
    private GatewayNames names;

    @AfterEach
    void close() {
        names.close();
    }

    private GatewayNames start(Duration interval) {
        names = GatewayNames.start(
                List.of("gateway.test"),
                name -> {
                    InetAddress[] addresses = zone.get(name);
                    if (addresses == null) {
                        throw new UnknownHostException(name);
                    }
                    return addresses;
                },
                interval,
                interval);
        return names;
    }

    private static InetAddress address(String text) throws UnknownHostException {
        return InetAddress.getByName(text);
    }

    private void await(Runnable assertion) {
        Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(assertion::run);
    }

    @Test
    void knowsEveryAddressOfAName_andFollowsChanges() throws UnknownHostException {
        zone.put("gateway.test", new InetAddress[] {address("10.0.0.1"), address("2001:db8::1")});
        GatewayNames started = start(Duration.ofMillis(5));
        InetAddress first = address("10.0.0.1");
        InetAddress second = address("2001:db8::1");
        InetAddress third = address("10.0.0.3");

        await(() ->
                assertThat(started.contain(first) && started.contain(second)).isTrue());
        assertThat(started.unresolved()).isNull();
        zone.put("gateway.test", new InetAddress[] {third});

        await(() -> assertThat(started.contain(third)).isTrue());
        assertThat(started.contain(first)).isFalse();
    }

    @Test
    void keepsTheLastAddresses_whileTheNameCannotBeResolved() throws Exception {
        CountDownLatch failed = new CountDownLatch(3);
        InetAddress known = address("10.0.0.1");
        zone.put("gateway.test", new InetAddress[] {known});
        names = GatewayNames.start(
                List.of("gateway.test"),
                name -> {
                    InetAddress[] addresses = zone.remove(name);
                    if (addresses == null) {
                        failed.countDown();
                        throw new UnknownHostException(name);
                    }
                    return addresses;
                },
                Duration.ofMillis(5),
                Duration.ofMillis(5));

        assertThat(failed.await(20, TimeUnit.SECONDS)).isTrue();

        assertThat(names.contain(known)).isTrue();
        assertThat(names.unresolved()).isNull();
    }

    @Test
    void refusesCallsWithoutHeaders_untilTheNameIsResolvedOnce() throws UnknownHostException {
        GatewayNames started = start(Duration.ofMillis(5));
        InetAddress gateway = address("10.0.0.1");
        InetAddress home = address("10.0.0.2");

        assertThat(Ingress.refusal(POLICY, home, started).message())
                .startsWith(
                        "gateway-unresolved; it has no route headers of its own, and whether its peer 10.0.0.2 is the gateway"
                                + " gateway.test (highway.guard.gateways) is not known yet");
        zone.put("gateway.test", new InetAddress[] {gateway});

        await(() -> assertThat(Ingress.refusal(POLICY, home, started)).isNull());
        assertThat(Ingress.refusal(POLICY, gateway, started).reason()).isEqualTo("headers-missing");
    }
}
