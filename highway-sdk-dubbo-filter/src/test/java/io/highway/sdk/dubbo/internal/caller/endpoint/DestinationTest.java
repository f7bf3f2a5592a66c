// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import io.highway.sdk.dubbo.internal.limits.Listeners;
import io.highway.sdk.dubbo.internal.network.compression.PeerEncodings;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionPool;
import io.highway.sdk.dubbo.internal.network.connection.ReconnectingLink;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("any-dubbo")
class DestinationTest {

    private static final AtomicLong NANOS = new AtomicLong();

    private static Destination destination() {
        return destination("gateway:20880");
    }

    private static Policy policy(String gateways, Map<String, String> more) {
        Map<String, String> keys = new HashMap<>(more);
        keys.putAll(Map.of("highway.island", "zhejiang", "highway.gateways.dubbo", gateways));
        return PolicyParser.parse(RawSettings.of(keys, "test"), "7", null).orElseThrow();
    }

    private static Destination destination(String gateways) {
        Policy policy = policy(gateways, Map.of("highway.islands.shanghai.retries", "0"));
        ConnectionPool connections = connections(policy);
        HealthChecker heartbeat = new HealthChecker(policy.local().heartbeat(), mock(EchoProbe.class), connections);
        return new Destination(
                new IslandContext("shanghai", connections, heartbeat, Listeners.none(), new PeerEncodings()),
                policy.forIsland("shanghai"),
                connections::connection);
    }

    private static ConnectionPool connections(Policy policy) {
        ReconnectingLink connection = mock(ReconnectingLink.class);
        when(connection.trafficClass()).thenReturn(TrafficClass.INTERACTIVE);
        when(connection.isUp()).thenReturn(true);
        when(connection.address())
                .thenReturn(policy.gateways().iterator().next().address());
        ConnectionPool connections = mock(ConnectionPool.class);
        when(connections.connection(any())).thenReturn(connection);
        when(connections.clock()).thenReturn(NANOS::get);
        return connections;
    }

    @Test
    void prefersOtherEndpoints_whileHealthChecksDoNotReachTheIslandOverOne() {
        Destination shanghai = destination("gateway:20880,other:20880");
        GatewayEndpoint silent = shanghai.endpoints().get(0);
        Failure unreachable = Failure.notRun(Reason.NOT_FORWARDED, "unreachable");
        silent.missed(unreachable);
        silent.missed(unreachable);
        NANOS.addAndGet(TimeUnit.SECONDS.toNanos(5));

        for (int position = 0; position < 4; position++) {
            assertThat(shanghai.enterNext(List.of(TunnelKind.DUBBO), position, 0))
                    .isNotSameAs(silent);
        }
        assertThat(shanghai.enterNext(List.of(TunnelKind.DUBBO), 0, 1L << 1)).isSameAs(silent);
    }

    @Test
    void asksForTheServiceThatAnsweredFirst_andForAnother_whenThatOneIsNotAnswered() {
        Destination shanghai = destination();
        shanghai.used("com.foo.Dead", false);
        assertThat(shanghai.service(null)).isEqualTo("com.foo.Dead");

        shanghai.used("com.foo.Sms", true);
        shanghai.used("com.foo.Mail", true);
        assertThat(shanghai.service(null)).isEqualTo("com.foo.Sms");

        shanghai.use().unanswered("com.foo.Sms");
        assertThat(shanghai.service(null)).isEqualTo("com.foo.Mail");
        shanghai.use().unanswered("com.foo.Sms"); // asked before
        assertThat(shanghai.service(null)).isEqualTo("com.foo.Mail");
        shanghai.use().unanswered("com.foo.Mail");
        assertThat(shanghai.service(null)).isEqualTo("com.foo.Sms");
    }

    /** The order that explanations show is the order of a call's attempts. */
    @Test
    void ordersEndpointsAsACallTriesThem() {
        Random random = new Random(7);
        Failure unreachable = Failure.notRun(Reason.NOT_FORWARDED, "unreachable");
        Failure lost = Failure.maybeRun(Reason.TIMEOUT, "no answer");
        for (int i = 0; i < 200; i++) {
            Destination shanghai = destination("a:1,b:2,c:3,d:4,e:5");
            for (GatewayEndpoint endpoint : shanghai.endpoints()) {
                for (int failures = random.nextInt(4); failures > 0; failures--) {
                    endpoint.missed(random.nextBoolean() ? unreachable : lost);
                }
            }
            for (int calls = random.nextInt(7); calls > 0; calls--) {
                shanghai.nextPosition();
            }

            List<GatewayEndpoint> order = shanghai.order(List.of(TunnelKind.DUBBO));

            int position = shanghai.nextPosition();
            List<GatewayEndpoint> tried = new ArrayList<>();
            long bits = 0;
            GatewayEndpoint next = shanghai.enterNext(List.of(TunnelKind.DUBBO), position, bits);
            while (next != null) {
                tried.add(next);
                bits |= shanghai.bit(next);
                next = shanghai.enterNext(List.of(TunnelKind.DUBBO), position, bits);
            }
            assertThat(order).isEqualTo(tried);
        }
    }
}
