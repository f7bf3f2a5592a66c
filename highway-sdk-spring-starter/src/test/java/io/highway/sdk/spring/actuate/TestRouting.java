// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import static org.awaitility.Awaitility.await;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.service.GenericService;
import org.jspecify.annotations.Nullable;

/** The runtime of a separate application, with real gateways and ports without a listener. */
final class TestRouting implements AutoCloseable {

    final HighwayRuntime runtime;
    private final FrameworkModel framework = new FrameworkModel();
    private final ApplicationModel application;

    /** Home is zhejiang; {@code keys} are pairs, without {@code highway.}. */
    TestRouting(String... keys) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("highway.island", "zhejiang");
        all.put("dubbo.service.shutdown.wait", "100");
        for (int i = 0; i < keys.length; i += 2) {
            all.put("highway." + keys[i], keys[i + 1]);
        }
        this.application = framework.newApplication();
        ApplicationConfig config = new ApplicationConfig("orders");
        config.setQosEnable(false); // a port of the machine
        application.getApplicationConfigManager().setApplication(config);
        application.modelEnvironment().initialize();
        application.modelEnvironment().updateAppConfigMap(all);
        this.runtime = HighwayRuntime.of(application);
    }

    /** Its policy is followed in a file. */
    static TestRouting following(Path file, String... keys) {
        List<String> all = new ArrayList<>(List.of(keys));
        all.addAll(List.of("policy.source", "file:" + file));
        all.addAll(List.of("policy.directory", file.resolveSibling("kept").toString()));
        return new TestRouting(all.toArray(String[]::new));
    }

    ApplicationModel model() {
        return application;
    }

    /** Refers a service by generic calls: its interface need not exist. Home has no provider of it. */
    GenericService refer(String service) {
        ReferenceConfig<GenericService> reference = new ReferenceConfig<>(application.getDefaultModule());
        reference.setInterface(service);
        reference.setGeneric("true");
        reference.setUrl("dubbo://zhejiang.test:9?lazy=true");
        reference.setCheck(false);
        return reference.get();
    }

    /** Exports a service that answers every generic call, and returns where, as {@code host:port}. */
    String export(String service) {
        ProtocolConfig protocol = new ProtocolConfig("dubbo", FreePorts.next());
        protocol.setHost("shanghai.test");
        protocol.setParameters(Map.of("bind.ip", "0.0.0.0"));
        ServiceConfig<GenericService> exported = new ServiceConfig<>(application.getDefaultModule());
        exported.setInterface(service);
        exported.setRef((method, types, arguments) -> "sent");
        exported.setProtocol(protocol);
        exported.setRegistry(new RegistryConfig("N/A"));
        exported.export();
        return "shanghai.test:" + protocol.getPort();
    }

    Policy policy() {
        return Objects.requireNonNull(runtime.policyIfEnabled());
    }

    /** Connects as the first reference does; returns when every gateway here that is alive is connected. */
    TestRouting connected(Live... alive) {
        runtime.destinations();
        for (Live gateway : alive) {
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> state(gateway.address()) == HighwayReport.Gateway.State.UP);
        }
        return this;
    }

    private HighwayReport.Gateway.State state(String hostAndPort) {
        return policy().gateways().stream()
                .filter(gateway -> gateway.address().hostAndPort().equals(hostAndPort))
                .map(gateway -> runtime.gatewayState(gateway).state())
                .findFirst()
                .orElseThrow();
    }

    /** A gateway that listens. */
    static final class Live implements AutoCloseable {

        private final Gateway gateway;
        private final String host;

        Live(String host) {
            this(host, Gateway.start(listening(host).build()));
        }

        /** It forwards calls to shanghai to this provider. */
        Live(String host, String provider) {
            this(
                    host,
                    Gateway.start(listening(host)
                            .providers("shanghai", "*", List.of(provider), List.of())
                            .build()));
        }

        private Live(String host, Gateway gateway) {
            this.host = host;
            this.gateway = gateway;
        }

        private static GatewayConfig.Builder listening(String host) {
            return GatewayConfig.builder().island("zhejiang").listen(host, 0);
        }

        String address() {
            return host + ":" + gateway.port();
        }

        @Override
        public void close() {
            gateway.closeNow();
        }
    }

    /** An address without a listener. */
    static String dead(String host) {
        return host + ":" + FreePorts.next();
    }

    /** A call that has ended; over the Dubbo protocol, if over anything. */
    static CallOutcome ended(
            @Nullable String island,
            @Nullable String gateway,
            Outcome outcome,
            @Nullable Reason reason,
            boolean servedAtHome) {
        return ended(island, dubbo(gateway), outcome, reason, servedAtHome, TrafficClass.INTERACTIVE);
    }

    static CallOutcome ended(
            @Nullable String island,
            @Nullable GatewayAddress gateway,
            Outcome outcome,
            @Nullable Reason reason,
            boolean servedAtHome,
            TrafficClass calls) {
        return new CallOutcome(
                "com.foo.Sms",
                "send",
                Intent.NONE,
                island,
                gateway,
                outcome,
                reason,
                servedAtHome,
                Duration.ofMillis(7),
                null,
                calls,
                island,
                servedAtHome ? reason : null);
    }

    private static @Nullable GatewayAddress dubbo(@Nullable String hostAndPort) {
        if (hostAndPort == null) {
            return null;
        }
        int colon = hostAndPort.lastIndexOf(':');
        return GatewayAddress.of(
                TunnelKind.DUBBO,
                hostAndPort.substring(0, colon),
                Integer.parseInt(hostAndPort.substring(colon + 1)),
                false);
    }

    @Override
    public void close() {
        framework.destroy();
    }
}
