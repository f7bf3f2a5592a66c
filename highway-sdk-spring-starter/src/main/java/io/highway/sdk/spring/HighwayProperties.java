// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * The {@code highway.*} keys, for editors, for injection and for {@code /actuator/configprops}.
 *
 * <p>Every value is text or a list of texts, and null if it is not set: one parser validates the values of every
 * source, with an error that names the key, the value and what is allowed. {@code /actuator/highway} shows the settings
 * in force for each island, defaults included.
 */
@ConfigurationProperties(prefix = "highway", ignoreInvalidFields = true) // the parser reports it with more detail
public class HighwayProperties {

    /** Whether calls can leave home; false means plain Dubbo at no cost. */
    private @Nullable String enabled;

    /** Id of the island this process runs in: a lower-case DNS label of 1 to 63 characters. Required with any other key. */
    private @Nullable String island;

    /** Whether a call for an island without any key of its own is refused, or left to the gateway. */
    private @Nullable String unknownIslands;

    /** How many islands a chain of calls may cross, from 1 to 100. */
    private @Nullable String maxHops;

    /** The gateways of home. */
    @NestedConfigurationProperty
    private HomeGateways gateways = new HomeGateways();

    /** Settings of every island that does not override them. */
    @NestedConfigurationProperty
    private Destination defaults = new Destination();

    /** Settings of each island, by its id; an island is known if any key of it is set. */
    private Map<String, KeyedDestination> islands = new LinkedHashMap<>();

    /**
     * Routes services without touching their code: "{interface}.island" is the destination, "{interface}.when" is
     * always or home-absent. "{interface}.require-island" is true to refuse calls that name no island.
     */
    private Map<String, String> services = new LinkedHashMap<>();

    /** End-to-end health checks of the endpoints to islands. */
    @NestedConfigurationProperty
    private Heartbeat heartbeat = new Heartbeat();

    /** Signed route headers. */
    @NestedConfigurationProperty
    private Sign sign = new Sign();

    public @Nullable String getEnabled() {
        return enabled;
    }

    public void setEnabled(@Nullable String enabled) {
        this.enabled = enabled;
    }

    public @Nullable String getIsland() {
        return island;
    }

    public void setIsland(@Nullable String island) {
        this.island = island;
    }

    public @Nullable String getUnknownIslands() {
        return unknownIslands;
    }

    public void setUnknownIslands(@Nullable String unknownIslands) {
        this.unknownIslands = unknownIslands;
    }

    public @Nullable String getMaxHops() {
        return maxHops;
    }

    public void setMaxHops(@Nullable String maxHops) {
        this.maxHops = maxHops;
    }

    public HomeGateways getGateways() {
        return gateways;
    }

    public void setGateways(HomeGateways gateways) {
        this.gateways = gateways;
    }

    public Destination getDefaults() {
        return defaults;
    }

    public void setDefaults(Destination defaults) {
        this.defaults = defaults;
    }

    public Map<String, KeyedDestination> getIslands() {
        return islands;
    }

    public void setIslands(Map<String, KeyedDestination> islands) {
        this.islands = islands;
    }

    public Map<String, String> getServices() {
        return services;
    }

    public void setServices(Map<String, String> services) {
        this.services = services;
    }

    public Heartbeat getHeartbeat() {
        return heartbeat;
    }

    public void setHeartbeat(Heartbeat heartbeat) {
        this.heartbeat = heartbeat;
    }

    public Sign getSign() {
        return sign;
    }

    public void setSign(Sign sign) {
        this.sign = sign;
    }

    /** Gateway addresses. */
    public static class Gateways {

        /** Gateway addresses for the Dubbo protocol: a list of host:port or dubbo://host:port. */
        private @Nullable List<String> dubbo;

        /** Gateway addresses for Triple: a list of host:port or tri://host:port. */
        private @Nullable List<String> triple;

        /** TLS settings of these gateways. */
        @NestedConfigurationProperty
        private Tls tls = new Tls();

        public @Nullable List<String> getDubbo() {
            return dubbo;
        }

        public void setDubbo(@Nullable List<String> dubbo) {
            this.dubbo = dubbo;
        }

        public @Nullable List<String> getTriple() {
            return triple;
        }

        public void setTriple(@Nullable List<String> triple) {
            this.triple = triple;
        }

        public Tls getTls() {
            return tls;
        }

        public void setTls(Tls tls) {
            this.tls = tls;
        }
    }

    /** TLS settings of gateways. */
    public static class Tls {

        /** Whether gateways are reached over TLS: true, false, or only dubbo or triple; true if another of these keys is set. */
        private @Nullable String enabled;

        /** File with the authorities that may sign a gateway's certificate: PEM, PKCS#12 or JKS; without it those that the Java runtime trusts. */
        private @Nullable String trustCertificates;

        /** Password of the trust-certificates file, if it is a key store. */
        private @Nullable String trustPassword;

        /** File with our own certificate, which gateways may demand: PEM, or a key store that holds the private key too. */
        private @Nullable String certificate;

        /** File with our private key, PEM in PKCS#8; without it the file of the certificate. */
        private @Nullable String privateKey;

        /** Password of the private key, or of the key store. */
        private @Nullable String keyPassword;

        /** Whether a gateway's certificate must name the host that was called. */
        private @Nullable String verifyHost;

        public @Nullable String getEnabled() {
            return enabled;
        }

        public void setEnabled(@Nullable String enabled) {
            this.enabled = enabled;
        }

        public @Nullable String getTrustCertificates() {
            return trustCertificates;
        }

        public void setTrustCertificates(@Nullable String trustCertificates) {
            this.trustCertificates = trustCertificates;
        }

        public @Nullable String getTrustPassword() {
            return trustPassword;
        }

        public void setTrustPassword(@Nullable String trustPassword) {
            this.trustPassword = trustPassword;
        }

        public @Nullable String getCertificate() {
            return certificate;
        }

        public void setCertificate(@Nullable String certificate) {
            this.certificate = certificate;
        }

        public @Nullable String getPrivateKey() {
            return privateKey;
        }

        public void setPrivateKey(@Nullable String privateKey) {
            this.privateKey = privateKey;
        }

        public @Nullable String getKeyPassword() {
            return keyPassword;
        }

        public void setKeyPassword(@Nullable String keyPassword) {
            this.keyPassword = keyPassword;
        }

        public @Nullable String getVerifyHost() {
            return verifyHost;
        }

        public void setVerifyHost(@Nullable String verifyHost) {
            this.verifyHost = verifyHost;
        }
    }

    /** Gateway addresses of home, and the connections to them. */
    public static class HomeGateways extends Gateways {

        /** Dubbo connections per gateway address, from 1 to 16; Triple always has one. */
        private @Nullable String connections;

        public @Nullable String getConnections() {
            return connections;
        }

        public void setConnections(@Nullable String connections) {
            this.connections = connections;
        }

        /** Request bytes in flight to a gateway address, at most, such as 64MB; further calls are refused as busy. */
        private @Nullable String maxBytesInFlight;

        public @Nullable String getMaxBytesInFlight() {
            return maxBytesInFlight;
        }

        public void setMaxBytesInFlight(@Nullable String maxBytesInFlight) {
            this.maxBytesInFlight = maxBytesInFlight;
        }
    }

    /** The keys of an island that can also be set for all islands. */
    public static class Destination {

        /** Protocol that carries calls: dubbo, triple, or auto for dubbo while it works, otherwise triple. */
        private @Nullable String tunnel;

        /** Gateway addresses for this destination only, instead of home's. */
        @NestedConfigurationProperty
        private Gateways gateways = new Gateways();

        /** Whether home may serve a call that was certainly not sent: none or home. */
        private @Nullable String fallback;

        /**
         * Time for a call, instead of the reference's; a number without a unit is milliseconds. Without both it is 3
         * seconds.
         */
        private @Nullable String timeout;

        /**
         * Retries of idempotent methods that may have run, from 0 to 10; calls that were not sent are tried over every
         * gateway anyway.
         */
        private @Nullable String retries;

        /** Patterns of methods that may be tried again even if they may have run, such as query* or com.foo.Sms#get*. */
        private @Nullable List<String> idempotent;

        /** Largest request that is sent; a number without a unit is bytes. */
        private @Nullable String maxRequestSize;

        /** Serialization that the destination's gateway and providers support: hessian2 or fastjson2. */
        private @Nullable String serialization;

        /** gzip: requests by Triple are compressed; none: they are not. */
        private @Nullable String compression;

        /**
         * Maximum number of calls in flight: a number, unlimited, or auto for the capacity of the connection without
         * queueing.
         */
        private @Nullable String maxConcurrent;

        /** How long a call waits for a permit before it is refused as busy, such as 50ms. */
        private @Nullable String maxWait;

        /** Circuit breaker of each endpoint. */
        @NestedConfigurationProperty
        private Breaker breaker = new Breaker();

        /** Patterns of methods that must not cross now, for a switch-over. */
        private @Nullable List<String> deny;

        public @Nullable String getTunnel() {
            return tunnel;
        }

        public void setTunnel(@Nullable String tunnel) {
            this.tunnel = tunnel;
        }

        public Gateways getGateways() {
            return gateways;
        }

        public void setGateways(Gateways gateways) {
            this.gateways = gateways;
        }

        public @Nullable String getFallback() {
            return fallback;
        }

        public void setFallback(@Nullable String fallback) {
            this.fallback = fallback;
        }

        public @Nullable String getTimeout() {
            return timeout;
        }

        public void setTimeout(@Nullable String timeout) {
            this.timeout = timeout;
        }

        public @Nullable String getRetries() {
            return retries;
        }

        public void setRetries(@Nullable String retries) {
            this.retries = retries;
        }

        public @Nullable List<String> getIdempotent() {
            return idempotent;
        }

        public void setIdempotent(@Nullable List<String> idempotent) {
            this.idempotent = idempotent;
        }

        public @Nullable String getMaxRequestSize() {
            return maxRequestSize;
        }

        public void setMaxRequestSize(@Nullable String maxRequestSize) {
            this.maxRequestSize = maxRequestSize;
        }

        public @Nullable String getSerialization() {
            return serialization;
        }

        public void setSerialization(@Nullable String serialization) {
            this.serialization = serialization;
        }

        public @Nullable String getCompression() {
            return compression;
        }

        public void setCompression(@Nullable String compression) {
            this.compression = compression;
        }

        public @Nullable String getMaxConcurrent() {
            return maxConcurrent;
        }

        public void setMaxConcurrent(@Nullable String maxConcurrent) {
            this.maxConcurrent = maxConcurrent;
        }

        public @Nullable String getMaxWait() {
            return maxWait;
        }

        public void setMaxWait(@Nullable String maxWait) {
            this.maxWait = maxWait;
        }

        public Breaker getBreaker() {
            return breaker;
        }

        public void setBreaker(Breaker breaker) {
            this.breaker = breaker;
        }

        public @Nullable List<String> getDeny() {
            return deny;
        }

        public void setDeny(@Nullable List<String> deny) {
            this.deny = deny;
        }
    }

    /** The keys of one island. */
    public static class KeyedDestination extends Destination {

        /** Business keys that mean this island for @IslandKey, such as 310000 or 31*. */
        private @Nullable List<String> keys;

        public @Nullable List<String> getKeys() {
            return keys;
        }

        public void setKeys(@Nullable List<String> keys) {
            this.keys = keys;
        }
    }

    /** End-to-end health checks of the endpoints to islands. */
    public static class Heartbeat {

        /** How often every endpoint to an island in use is probed end to end, such as 10s, or none. */
        private @Nullable String interval;

        /** A health check that takes longer is logged once; one that takes twice as long counts as missed. */
        private @Nullable String slow;

        /**
         * Service that health checks call, as [group/]interface[:version]; without it one that this process uses there.
         */
        private @Nullable String service;

        public @Nullable String getInterval() {
            return interval;
        }

        public void setInterval(@Nullable String interval) {
            this.interval = interval;
        }

        public @Nullable String getSlow() {
            return slow;
        }

        public void setSlow(@Nullable String slow) {
            this.slow = slow;
        }

        public @Nullable String getService() {
            return service;
        }

        public void setService(@Nullable String service) {
            this.service = service;
        }
    }

    /** Circuit breaker of each endpoint. */
    public static class Breaker {

        /** Percent of the last 100 calls that may fail or be slow, 1 to 100, or none. */
        private @Nullable String failureRate;

        /** A longer call counts as slow, such as 2s; none if no call does. */
        private @Nullable String slowCall;

        public @Nullable String getFailureRate() {
            return failureRate;
        }

        public void setFailureRate(@Nullable String failureRate) {
            this.failureRate = failureRate;
        }

        public @Nullable String getSlowCall() {
            return slowCall;
        }

        public void setSlowCall(@Nullable String slowCall) {
            this.slowCall = slowCall;
        }
    }

    /** Signed route headers. */
    public static class Sign {

        /** Id of the key that route headers are signed with; written together with its secret. */
        private @Nullable String keyId;

        /** Secret of that key, any text. */
        private @Nullable String secret;

        /** At the receiver: secrets of the keys to accept, by key id; with any, unsigned calls are refused. */
        private Map<String, String> accept = new LinkedHashMap<>();

        public @Nullable String getKeyId() {
            return keyId;
        }

        public void setKeyId(@Nullable String keyId) {
            this.keyId = keyId;
        }

        public @Nullable String getSecret() {
            return secret;
        }

        public void setSecret(@Nullable String secret) {
            this.secret = secret;
        }

        public Map<String, String> getAccept() {
            return accept;
        }

        public void setAccept(Map<String, String> accept) {
            this.accept = accept;
        }
    }
}
