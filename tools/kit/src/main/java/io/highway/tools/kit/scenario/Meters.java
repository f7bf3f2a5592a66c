// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit.scenario;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.OutcomeListener;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.spring.actuate.HighwayMetricsAutoConfiguration;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** The meters that the starter registers with Micrometer, as far as they do not depend on addresses and time. */
final class Meters {

    private static final Set<String> COMPARED =
            Set.of("highway.calls", "highway.fallbacks", "highway.breaker", "highway.endpoint", "highway.inflight");

    private Meters() {}

    /** Those of an application and of these calls, whose value is not 0. */
    static String of(ApplicationModel application, List<CallOutcome> calls) {
        MeterRegistry registry = new SimpleMeterRegistry();
        try (AnnotationConfigApplicationContext spring = new AnnotationConfigApplicationContext()) {
            Map<String, Object> keys = Map.of("highway.island", "zhejiang");
            spring.getEnvironment().getPropertySources().addFirst(new MapPropertySource("scenario", keys));
            spring.registerBean(MeterRegistry.class, () -> registry);
            spring.registerBean(ApplicationModel.class, () -> application);
            spring.registerBean(HighwayRuntime.class, () -> HighwayRuntime.of(application));
            spring.register(HighwayMetricsAutoConfiguration.class);
            spring.refresh();
            OutcomeListener listener = spring.getBean(OutcomeListener.class);
            calls.forEach(call -> listener.onOutcome(
                    call,
                    new RpcInvocation(
                            (ServiceModel) null,
                            call.methodName(),
                            call.interfaceName(),
                            "",
                            new Class<?>[0],
                            new Object[0])));
            return registry.getMeters().stream()
                    .filter(meter -> COMPARED.contains(meter.getId().getName()) && value(meter) != 0)
                    .map(meter -> meter.getId().getName() + tags(meter) + " " + value(meter))
                    .sorted()
                    .toList()
                    .toString();
        }
    }

    /** The first measurement: of a timer, how many calls it has seen. */
    private static long value(Meter meter) {
        return (long) meter.measure().iterator().next().getValue();
    }

    /** An endpoint that nothing has been answered over is like one that is up: health checks come when they come. */
    private static String tags(Meter meter) {
        return meter.getId().getTags().stream()
                .filter(tag -> !tag.getKey().equals("gateway"))
                .map(tag -> tag.equals(Tag.of("state", "unknown")) ? "state=up" : tag.getKey() + "=" + tag.getValue())
                .collect(Collectors.joining(" ", "{", "}"));
    }
}
