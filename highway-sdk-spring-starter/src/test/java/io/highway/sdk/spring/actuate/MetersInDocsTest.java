// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import static io.highway.sdk.spring.actuate.TestRouting.ended;
import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.GuardListener;
import io.highway.sdk.dubbo.GuardListener.GuardEvent;
import io.highway.sdk.dubbo.NetworkListener.HealthCheck;
import io.highway.sdk.dubbo.NetworkListener.TunnelChange;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.dubbo.rpc.RpcInvocation;
import org.junit.jupiter.api.Test;

/**
 * The table of meters in {@code docs/reference/observability.md} has every meter with its type and tags, and no other.
 */
@org.junit.jupiter.api.Tag("network")
class MetersInDocsTest {

    private static final Path PAGE = Path.of("../docs/reference/observability.md");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `(highway\\.[a-z.]+)` \\| (timer|counter|gauge)[^|]*\\|([^|]*)\\|");
    private static final Pattern TAG = Pattern.compile("`([a-z]+)`");

    @Test
    void theTableHasEveryMeter() throws IOException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        GatewayAddress gateway = GatewayAddress.of(TunnelKind.DUBBO, "gateway.zhejiang.test", 20880, false);
        try (TestRouting application = new TestRouting(
                "gateways.dubbo",
                gateway.hostAndPort(),
                "islands.shanghai.max-concurrent",
                "5",
                "islands.beijing.gateways.dubbo",
                "gateway.beijing.test:20880",
                "islands.beijing.gateways.tls.enabled",
                "true",
                "audit.enabled",
                "true")) {
            MicrometerMeters meters = new MicrometerMeters(registry, application.model());
            meters.afterSingletonsInstantiated();
            application.runtime.destinations();
            meters.onOutcome(
                    ended("shanghai", gateway.hostAndPort(), Outcome.NOT_SENT, Reason.GATEWAY_DOWN, true),
                    new RpcInvocation(null, "send", "com.foo.Sms", "com.foo.Sms", new Class<?>[0], new Object[0]));
            meters.onTunnelChange(
                    new TunnelChange("shanghai", TunnelKind.DUBBO, TunnelKind.TRIPLE, "why", TrafficClass.INTERACTIVE));
            meters.onHealthCheck(new HealthCheck("shanghai", gateway, Duration.ofMillis(7), TrafficClass.INTERACTIVE));
            meters.onHealthCheck(new HealthCheck("shanghai", gateway, null, TrafficClass.INTERACTIVE));
            meters.onGuard(new GuardEvent(
                    GuardListener.Result.REFUSED, "denied", "com.foo.Sms", "send", null, null, null, null));

            assertThat(documented())
                    .isEqualTo(registry.getMeters().stream()
                            .map(MetersInDocsTest::shown)
                            .collect(Collectors.toCollection(TreeSet::new)));
        }
    }

    private static String shown(Meter meter) {
        Set<String> tags =
                meter.getId().getTags().stream().map(Tag::getKey).collect(Collectors.toCollection(TreeSet::new));
        return meter.getId().getName() + " " + meter.getId().getType().name().toLowerCase(Locale.ROOT) + " " + tags;
    }

    private static Set<String> documented() throws IOException {
        String page = Files.readString(PAGE);
        String section = page.substring(page.indexOf("\n## Meters\n") + 1).replaceFirst("(?s)\n## .*", "");
        return ROW.matcher(section)
                .results()
                .map(row -> row.group(1) + " " + row.group(2) + " " + tags(row.group(3)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Values of a tag are in brackets behind it. */
    private static Set<String> tags(String cell) {
        String withoutLinks = cell.replaceAll("]\\([^)]*\\)", "]");
        return TAG.matcher(withoutLinks.replaceAll("\\([^)]*\\)", ""))
                .results()
                .map(tag -> tag.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
