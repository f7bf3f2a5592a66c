// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import static java.util.Objects.requireNonNull;

import io.netty.util.NetUtil;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The ports and routes of a gateway; immutable, from YAML or from a {@link #builder()}. */
public record GatewayConfig(
        String island,
        Address listen,
        Map<String, Supplier<Route>> routes,
        @Nullable Supplier<Route> defaultRoute,
        @Nullable String withoutIsland,
        boolean guarded,
        @Nullable ServerTls tls,
        Duration grace,
        Duration connectTimeout,
        @Nullable String source,
        boolean reusePort,
        long maxFrame,
        @Nullable RecordSpec recording) {

    private static final String ISLAND = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";

    /**
     * Reads the YAML form, see the README.
     *
     * @throws IllegalArgumentException naming the key, its value and what is allowed
     */
    public static GatewayConfig parse(String yaml) {
        return ConfigReader.read(yaml);
    }

    /**
     * Reads a file in the YAML form.
     *
     * @throws IllegalArgumentException naming the key, its value and what is allowed
     */
    public static GatewayConfig load(Path file) throws IOException {
        return parse(Files.readString(file));
    }

    public static Builder builder() {
        return new Builder();
    }

    static boolean isIsland(String id) {
        return id.matches(ISLAND);
    }

    /** Starts with these defaults: any free port, no routes, 5 s of grace, frames up to 16 MiB, 1 s to connect. */
    public static final class Builder {
        private @Nullable String island;
        private Address listen = new Address("0.0.0.0", 0);
        private final Map<String, Map<String, Map<Protocol, List<Address>>>> providers = new LinkedHashMap<>();
        private final Map<String, Supplier<Route>> routes = new LinkedHashMap<>();
        private @Nullable Supplier<Route> defaultRoute;
        private @Nullable String withoutIsland;
        private boolean guarded = true;
        private @Nullable ServerTls tls;
        private Duration grace = Duration.ofSeconds(5);
        private Duration connectTimeout = Duration.ofSeconds(1);
        private @Nullable String source;
        private boolean reusePort;
        private long maxFrame = 16 << 20;
        private @Nullable RecordSpec recording;

        private Builder() {}

        /** The island of this gateway, for logs. */
        public Builder island(String id) {
            this.island = checkIsland("island", id);
            return this;
        }

        /** Port 0 takes any free port, see {@link Gateway#port()}. */
        public Builder listen(String host, int port) {
            this.listen = new Address(requireNonNull(host, "host"), port);
            return this;
        }

        /**
         * Providers of a service, {@code [group/]interface[:version]}, or of {@code *}, every other service; they take no HTTP
         * tunnel.
         */
        public Builder providers(String id, String service, List<String> dubbo, List<String> triple) {
            return providers(id, service, dubbo, triple, List.of());
        }

        /** Providers of a service that take the HTTP tunnel, too. */
        public Builder providers(
                String id, String service, List<String> dubbo, List<String> triple, List<String> http) {
            Map<Protocol, List<Address>> addresses = new EnumMap<>(Protocol.class);
            addresses.put(Protocol.DUBBO, addresses(dubbo));
            addresses.put(Protocol.TRIPLE, addresses(triple));
            addresses.put(Protocol.HTTP, addresses(http));
            Map<String, Map<Protocol, List<Address>>> services =
                    providers.computeIfAbsent(id, key -> new LinkedHashMap<>());
            services.put(service, addresses);
            return route(id, () -> new StaticRoute(services, true));
        }

        /** Calls to this island go to another gateway, the same addresses for all protocols. */
        public Builder next(String id, List<String> gateways) {
            return route(id, next(gateways));
        }

        /** Providers are looked up in a Dubbo registry, such as {@code zookeeper://registry.test:2181}. */
        public Builder registry(String id, String url) {
            return route(id, RegistryProviders.at(url));
        }

        /** The gateway for calls to every other island. */
        public Builder defaultNext(List<String> gateways) {
            this.defaultRoute = next(gateways);
            return this;
        }

        /** The island of calls that name none; without this they are refused. */
        public Builder withoutIsland(String id) {
            this.withoutIsland = checkIsland("without-island", id);
            return this;
        }

        /** Whether providers have the SDK, the default; without it they must not state that the SDK refused a call. */
        public Builder guarded(boolean providersHaveTheSdk) {
            this.guarded = providersHaveTheSdk;
            return this;
        }

        /**
         * Accepts only TLS from clients; connects to upstreams in plaintext.
         *
         * @param certificate PEM
         * @param privateKey PEM, PKCS#8
         * @param clients PEM: the authority that signs client certificates, or null if clients need none
         */
        public Builder tls(Path certificate, Path privateKey, @Nullable Path clients) {
            this.tls = new ServerTls(certificate, privateKey, clients);
            return this;
        }

        /** How long {@link Gateway#close()} waits for calls in flight. */
        public Builder grace(Duration period) {
            this.grace = requireNonNull(period, "period");
            return this;
        }

        public Builder connectTimeout(Duration timeout) {
            this.connectTimeout = requireNonNull(timeout, "timeout");
            return this;
        }

        /** The IP address from which the gateway connects to providers and other gateways; by default the system's choice. */
        public Builder source(String address) {
            if (!NetUtil.isValidIpV4Address(address) && !NetUtil.isValidIpV6Address(address)) {
                throw new IllegalArgumentException(
                        "source: '" + address + "' is no IP address; write one of this machine, such as 127.0.0.2");
            }
            this.source = address;
            return this;
        }

        /** Whether another process may listen at the same port, so that it can replace this one without a gap. */
        public Builder reusePort(boolean reuse) {
            this.reusePort = reuse;
            return this;
        }

        /** Largest Dubbo frame, and body of HTTP, in bytes, head included; larger ones are refused. */
        public Builder maxFrame(long bytes) {
            this.maxFrame = bytes;
            return this;
        }

        /**
         * Writes the messages of Triple calls that are not compressed to {@code <directory>/<island>/}, for the training of a
         * dictionary. They contain application data.
         *
         * @param messages at most so many; and at most 64 MB, and none over 128 KB
         */
        public Builder record(Path directory, int messages) {
            if (messages < 1) {
                throw new IllegalArgumentException("record.messages: '" + messages + "' given; allowed: 1 and more");
            }
            this.recording = new RecordSpec(directory, messages);
            return this;
        }

        public GatewayConfig build() {
            if (island == null) {
                throw new IllegalArgumentException("island is missing; write the island of this gateway");
            }
            return new GatewayConfig(
                    island,
                    listen,
                    new LinkedHashMap<>(routes),
                    defaultRoute,
                    withoutIsland,
                    guarded,
                    tls,
                    grace,
                    connectTimeout,
                    source,
                    reusePort,
                    maxFrame,
                    recording);
        }

        private Builder route(String id, Supplier<Route> spec) {
            routes.put(checkIsland("routes", id), spec);
            return this;
        }

        private static Supplier<Route> next(List<String> gateways) {
            List<Address> all = addresses(gateways);
            Map<Protocol, List<Address>> each = new EnumMap<>(Protocol.class);
            Stream.of(Protocol.values()).forEach(protocol -> each.put(protocol, all));
            return () -> new StaticRoute(Map.of(StaticRoute.ANY_SERVICE, each), false);
        }

        private static List<Address> addresses(List<String> texts) {
            return texts.stream().map(Address::parse).toList();
        }

        private static String checkIsland(String key, String id) {
            if (!isIsland(id)) {
                throw new IllegalArgumentException(key + ": '" + id + "' is no island id; allowed: " + ISLAND);
            }
            return id;
        }
    }
}
