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

    /** Probe of every island after start-up: none, warn (a log line), or fail (not ready until each answers). */
    private @Nullable String doctor;

    /** How many bytes of requests the servers of this process buffer and inflate at a time: 128MB, 1GB. */
    private @Nullable String maxBuffered;

    /** How many islands a chain of calls may cross, from 1 to 100. */
    private @Nullable String maxHops;

    /** The gateways of home. */
    @NestedConfigurationProperty
    private HomeGateways gateways = new HomeGateways();

    /** Settings of every island that does not override them. */
    @NestedConfigurationProperty
    private IslandProperties defaults = new IslandProperties();

    /** Settings of each island, by its id; an island is known if any key of it is set. */
    private Map<String, KeyedIslandProperties> islands = new LinkedHashMap<>();

    /**
     * Routes services without touching their code: "{interface}.island" is the destination, "{interface}.when" is
     * always or home-absent. "{interface}.require-island" is true to refuse calls that name no island.
     */
    private Map<String, String> services = new LinkedHashMap<>();

    /** Trained zstd dictionaries that islands choose by name: file: and the path of each. */
    private Map<String, String> dictionaries = new LinkedHashMap<>();

    /** End-to-end health checks of the endpoints to islands. */
    @NestedConfigurationProperty
    private Heartbeat heartbeat = new Heartbeat();

    /** One line of JSON per crossing, on the logger highway.audit. */
    @NestedConfigurationProperty
    private Audit audit = new Audit();

    /** What the guard of a provider demands of calls. */
    @NestedConfigurationProperty
    private Guard guard = new Guard();

    /** Signed route headers. */
    @NestedConfigurationProperty
    private Sign sign = new Sign();

    /** The dynamic policy: a rule that changes settings without a restart. */
    @NestedConfigurationProperty
    private DynamicPolicy policy = new DynamicPolicy();

    /** {@return {@code enabled} as it is written, or null} */
    public @Nullable String getEnabled() {
        return enabled;
    }

    /**
     * Sets {@code enabled}.
     *
     * @param enabled what is written
     */
    public void setEnabled(@Nullable String enabled) {
        this.enabled = enabled;
    }

    /** {@return {@code island} as it is written, or null} */
    public @Nullable String getIsland() {
        return island;
    }

    /**
     * Sets {@code island}.
     *
     * @param island what is written
     */
    public void setIsland(@Nullable String island) {
        this.island = island;
    }

    /** {@return {@code unknown-islands} as it is written, or null} */
    public @Nullable String getUnknownIslands() {
        return unknownIslands;
    }

    /**
     * Sets {@code unknown-islands}.
     *
     * @param unknownIslands what is written
     */
    public void setUnknownIslands(@Nullable String unknownIslands) {
        this.unknownIslands = unknownIslands;
    }

    /** {@return {@code doctor} as it is written, or null} */
    public @Nullable String getDoctor() {
        return doctor;
    }

    /**
     * Sets {@code doctor}.
     *
     * @param doctor what is written
     */
    public void setDoctor(@Nullable String doctor) {
        this.doctor = doctor;
    }

    /** {@return {@code max-buffered} as it is written, or null} */
    public @Nullable String getMaxBuffered() {
        return maxBuffered;
    }

    /**
     * Sets {@code max-buffered}.
     *
     * @param maxBuffered what is written
     */
    public void setMaxBuffered(@Nullable String maxBuffered) {
        this.maxBuffered = maxBuffered;
    }

    /** {@return {@code max-hops} as it is written, or null} */
    public @Nullable String getMaxHops() {
        return maxHops;
    }

    /**
     * Sets {@code max-hops}.
     *
     * @param maxHops what is written
     */
    public void setMaxHops(@Nullable String maxHops) {
        this.maxHops = maxHops;
    }

    /** {@return the keys below {@code gateways}} */
    public HomeGateways getGateways() {
        return gateways;
    }

    /**
     * Sets {@code gateways}.
     *
     * @param gateways what is written
     */
    public void setGateways(HomeGateways gateways) {
        this.gateways = gateways;
    }

    /** {@return the keys below {@code defaults}} */
    public IslandProperties getDefaults() {
        return defaults;
    }

    /**
     * Sets {@code defaults}.
     *
     * @param defaults what is written
     */
    public void setDefaults(IslandProperties defaults) {
        this.defaults = defaults;
    }

    /** {@return {@code islands} as it is written} */
    public Map<String, KeyedIslandProperties> getIslands() {
        return islands;
    }

    /**
     * Sets {@code islands}.
     *
     * @param islands what is written
     */
    public void setIslands(Map<String, KeyedIslandProperties> islands) {
        this.islands = islands;
    }

    /** {@return {@code services} as it is written} */
    public Map<String, String> getServices() {
        return services;
    }

    /**
     * Sets {@code services}.
     *
     * @param services what is written
     */
    public void setServices(Map<String, String> services) {
        this.services = services;
    }

    /** {@return {@code dictionaries} as it is written} */
    public Map<String, String> getDictionaries() {
        return dictionaries;
    }

    /**
     * Sets {@code dictionaries}.
     *
     * @param dictionaries what is written
     */
    public void setDictionaries(Map<String, String> dictionaries) {
        this.dictionaries = dictionaries;
    }

    /** {@return the keys below {@code heartbeat}} */
    public Heartbeat getHeartbeat() {
        return heartbeat;
    }

    /**
     * Sets {@code heartbeat}.
     *
     * @param heartbeat what is written
     */
    public void setHeartbeat(Heartbeat heartbeat) {
        this.heartbeat = heartbeat;
    }

    /** {@return the keys below {@code audit}} */
    public Audit getAudit() {
        return audit;
    }

    /**
     * Sets {@code audit}.
     *
     * @param audit what is written
     */
    public void setAudit(Audit audit) {
        this.audit = audit;
    }

    /** {@return the keys below {@code guard}} */
    public Guard getGuard() {
        return guard;
    }

    /**
     * Sets {@code guard}.
     *
     * @param guard what is written
     */
    public void setGuard(Guard guard) {
        this.guard = guard;
    }

    /** {@return the keys below {@code sign}} */
    public Sign getSign() {
        return sign;
    }

    /**
     * Sets {@code sign}.
     *
     * @param sign what is written
     */
    public void setSign(Sign sign) {
        this.sign = sign;
    }

    /** {@return the keys below {@code policy}} */
    public DynamicPolicy getPolicy() {
        return policy;
    }

    /**
     * Sets {@code policy}.
     *
     * @param policy what is written
     */
    public void setPolicy(DynamicPolicy policy) {
        this.policy = policy;
    }

    /** Gateway addresses. */
    public static class Gateways {

        /** Gateway addresses for the Dubbo protocol: a list of host:port or dubbo://host:port. */
        private @Nullable List<String> dubbo;

        /** Gateway addresses for Triple: a list of host:port or tri://host:port. */
        private @Nullable List<String> triple;

        /** Time limit for a connection to these gateways and its first answer; a number without a unit is milliseconds. */
        private @Nullable String connectTimeout;

        /** TLS settings of these gateways. */
        @NestedConfigurationProperty
        private Tls tls = new Tls();

        /** {@return {@code dubbo} as it is written, or null} */
        public @Nullable List<String> getDubbo() {
            return dubbo;
        }

        /**
         * Sets {@code dubbo}.
         *
         * @param dubbo what is written
         */
        public void setDubbo(@Nullable List<String> dubbo) {
            this.dubbo = dubbo;
        }

        /** {@return {@code triple} as it is written, or null} */
        public @Nullable List<String> getTriple() {
            return triple;
        }

        /**
         * Sets {@code triple}.
         *
         * @param triple what is written
         */
        public void setTriple(@Nullable List<String> triple) {
            this.triple = triple;
        }

        /** {@return {@code connect-timeout} as it is written, or null} */
        public @Nullable String getConnectTimeout() {
            return connectTimeout;
        }

        /**
         * Sets {@code connect-timeout}.
         *
         * @param connectTimeout what is written
         */
        public void setConnectTimeout(@Nullable String connectTimeout) {
            this.connectTimeout = connectTimeout;
        }

        /** {@return the keys below {@code tls}} */
        public Tls getTls() {
            return tls;
        }

        /**
         * Sets {@code tls}.
         *
         * @param tls what is written
         */
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

        /** {@return {@code enabled} as it is written, or null} */
        public @Nullable String getEnabled() {
            return enabled;
        }

        /**
         * Sets {@code enabled}.
         *
         * @param enabled what is written
         */
        public void setEnabled(@Nullable String enabled) {
            this.enabled = enabled;
        }

        /** {@return {@code trust-certificates} as it is written, or null} */
        public @Nullable String getTrustCertificates() {
            return trustCertificates;
        }

        /**
         * Sets {@code trust-certificates}.
         *
         * @param trustCertificates what is written
         */
        public void setTrustCertificates(@Nullable String trustCertificates) {
            this.trustCertificates = trustCertificates;
        }

        /** {@return {@code trust-password} as it is written, or null} */
        public @Nullable String getTrustPassword() {
            return trustPassword;
        }

        /**
         * Sets {@code trust-password}.
         *
         * @param trustPassword what is written
         */
        public void setTrustPassword(@Nullable String trustPassword) {
            this.trustPassword = trustPassword;
        }

        /** {@return {@code certificate} as it is written, or null} */
        public @Nullable String getCertificate() {
            return certificate;
        }

        /**
         * Sets {@code certificate}.
         *
         * @param certificate what is written
         */
        public void setCertificate(@Nullable String certificate) {
            this.certificate = certificate;
        }

        /** {@return {@code private-key} as it is written, or null} */
        public @Nullable String getPrivateKey() {
            return privateKey;
        }

        /**
         * Sets {@code private-key}.
         *
         * @param privateKey what is written
         */
        public void setPrivateKey(@Nullable String privateKey) {
            this.privateKey = privateKey;
        }

        /** {@return {@code key-password} as it is written, or null} */
        public @Nullable String getKeyPassword() {
            return keyPassword;
        }

        /**
         * Sets {@code key-password}.
         *
         * @param keyPassword what is written
         */
        public void setKeyPassword(@Nullable String keyPassword) {
            this.keyPassword = keyPassword;
        }

        /** {@return {@code verify-host} as it is written, or null} */
        public @Nullable String getVerifyHost() {
            return verifyHost;
        }

        /**
         * Sets {@code verify-host}.
         *
         * @param verifyHost what is written
         */
        public void setVerifyHost(@Nullable String verifyHost) {
            this.verifyHost = verifyHost;
        }
    }

    /** Gateway addresses of home, and the connections to them. */
    public static class HomeGateways extends Gateways {

        /** Dubbo connections per gateway address, from 1 to 16; Triple always has one. */
        private @Nullable String connections;

        /** {@return {@code connections} as it is written, or null} */
        public @Nullable String getConnections() {
            return connections;
        }

        /**
         * Sets {@code connections}.
         *
         * @param connections what is written
         */
        public void setConnections(@Nullable String connections) {
            this.connections = connections;
        }

        /** Request bytes in flight to a gateway address, at most, such as 64MB; further calls are refused as busy. */
        private @Nullable String maxBytesInFlight;

        /** {@return {@code max-bytes-in-flight} as it is written, or null} */
        public @Nullable String getMaxBytesInFlight() {
            return maxBytesInFlight;
        }

        /**
         * Sets {@code max-bytes-in-flight}.
         *
         * @param maxBytesInFlight what is written
         */
        public void setMaxBytesInFlight(@Nullable String maxBytesInFlight) {
            this.maxBytesInFlight = maxBytesInFlight;
        }
    }

    /** The keys of an island that can also be set for all islands. */
    public static class IslandProperties {

        /** Protocols that carry calls, in the order of preference: dubbo, triple, a list, or auto for triple,dubbo. */
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

        /**
         * Compression of Triple's messages: none; gzip; zstd, which all providers there must read; auto for zstd once
         * they have advertised it. The last two need zstd-jni.
         */
        private @Nullable String compression;

        /**
         * Maximum number of calls in flight: a number, unlimited, or auto for the capacity of the connection without
         * queueing.
         */
        private @Nullable String maxConcurrent;

        /** How long a call waits for a permit before it is refused as busy, such as 50ms. */
        private @Nullable String maxWait;

        /** Bulk calls, which have connections and a concurrency limit for themselves. */
        @NestedConfigurationProperty
        private Bulk bulk = new Bulk();

        /** Circuit breaker of each endpoint. */
        @NestedConfigurationProperty
        private Breaker breaker = new Breaker();

        /** Patterns of methods that must not cross now, for a switch-over. */
        private @Nullable List<String> deny;

        /** {@return {@code tunnel} as it is written, or null} */
        public @Nullable String getTunnel() {
            return tunnel;
        }

        /**
         * Sets {@code tunnel}.
         *
         * @param tunnel what is written
         */
        public void setTunnel(@Nullable String tunnel) {
            this.tunnel = tunnel;
        }

        /** {@return the keys below {@code gateways}} */
        public Gateways getGateways() {
            return gateways;
        }

        /**
         * Sets {@code gateways}.
         *
         * @param gateways what is written
         */
        public void setGateways(Gateways gateways) {
            this.gateways = gateways;
        }

        /** {@return {@code fallback} as it is written, or null} */
        public @Nullable String getFallback() {
            return fallback;
        }

        /**
         * Sets {@code fallback}.
         *
         * @param fallback what is written
         */
        public void setFallback(@Nullable String fallback) {
            this.fallback = fallback;
        }

        /** {@return {@code timeout} as it is written, or null} */
        public @Nullable String getTimeout() {
            return timeout;
        }

        /**
         * Sets {@code timeout}.
         *
         * @param timeout what is written
         */
        public void setTimeout(@Nullable String timeout) {
            this.timeout = timeout;
        }

        /** {@return {@code retries} as it is written, or null} */
        public @Nullable String getRetries() {
            return retries;
        }

        /**
         * Sets {@code retries}.
         *
         * @param retries what is written
         */
        public void setRetries(@Nullable String retries) {
            this.retries = retries;
        }

        /** {@return {@code idempotent} as it is written, or null} */
        public @Nullable List<String> getIdempotent() {
            return idempotent;
        }

        /**
         * Sets {@code idempotent}.
         *
         * @param idempotent what is written
         */
        public void setIdempotent(@Nullable List<String> idempotent) {
            this.idempotent = idempotent;
        }

        /** {@return {@code max-request-size} as it is written, or null} */
        public @Nullable String getMaxRequestSize() {
            return maxRequestSize;
        }

        /**
         * Sets {@code max-request-size}.
         *
         * @param maxRequestSize what is written
         */
        public void setMaxRequestSize(@Nullable String maxRequestSize) {
            this.maxRequestSize = maxRequestSize;
        }

        /** {@return {@code serialization} as it is written, or null} */
        public @Nullable String getSerialization() {
            return serialization;
        }

        /**
         * Sets {@code serialization}.
         *
         * @param serialization what is written
         */
        public void setSerialization(@Nullable String serialization) {
            this.serialization = serialization;
        }

        /** {@return {@code compression} as it is written, or null} */
        public @Nullable String getCompression() {
            return compression;
        }

        /**
         * Sets {@code compression}.
         *
         * @param compression what is written
         */
        public void setCompression(@Nullable String compression) {
            this.compression = compression;
        }

        /** {@return {@code max-concurrent} as it is written, or null} */
        public @Nullable String getMaxConcurrent() {
            return maxConcurrent;
        }

        /**
         * Sets {@code max-concurrent}.
         *
         * @param maxConcurrent what is written
         */
        public void setMaxConcurrent(@Nullable String maxConcurrent) {
            this.maxConcurrent = maxConcurrent;
        }

        /** {@return {@code max-wait} as it is written, or null} */
        public @Nullable String getMaxWait() {
            return maxWait;
        }

        /**
         * Sets {@code max-wait}.
         *
         * @param maxWait what is written
         */
        public void setMaxWait(@Nullable String maxWait) {
            this.maxWait = maxWait;
        }

        /** {@return the keys below {@code bulk}} */
        public Bulk getBulk() {
            return bulk;
        }

        /**
         * Sets {@code bulk}.
         *
         * @param bulk what is written
         */
        public void setBulk(Bulk bulk) {
            this.bulk = bulk;
        }

        /** {@return the keys below {@code breaker}} */
        public Breaker getBreaker() {
            return breaker;
        }

        /**
         * Sets {@code breaker}.
         *
         * @param breaker what is written
         */
        public void setBreaker(Breaker breaker) {
            this.breaker = breaker;
        }

        /** {@return {@code deny} as it is written, or null} */
        public @Nullable List<String> getDeny() {
            return deny;
        }

        /**
         * Sets {@code deny}.
         *
         * @param deny what is written
         */
        public void setDeny(@Nullable List<String> deny) {
            this.deny = deny;
        }
    }

    /** The bulk calls to an island. */
    public static class Bulk {

        /** Patterns of methods whose calls are bulk, such as upload* or com.foo.Files#put. */
        private @Nullable List<String> methods;

        /** A call with a larger request is bulk, such as 16KB, or none. */
        private @Nullable String over;

        /** Maximum number of bulk calls in flight: a number, unlimited, or auto for about one that waits for the link. */
        private @Nullable String maxConcurrent;

        /** How long a bulk call waits for a permit before it is refused as busy, at most until its own deadline. */
        private @Nullable String maxWait;

        /** {@return {@code methods} as it is written, or null} */
        public @Nullable List<String> getMethods() {
            return methods;
        }

        /**
         * Sets {@code methods}.
         *
         * @param methods what is written
         */
        public void setMethods(@Nullable List<String> methods) {
            this.methods = methods;
        }

        /** {@return {@code over} as it is written, or null} */
        public @Nullable String getOver() {
            return over;
        }

        /**
         * Sets {@code over}.
         *
         * @param over what is written
         */
        public void setOver(@Nullable String over) {
            this.over = over;
        }

        /** {@return {@code max-concurrent} as it is written, or null} */
        public @Nullable String getMaxConcurrent() {
            return maxConcurrent;
        }

        /**
         * Sets {@code max-concurrent}.
         *
         * @param maxConcurrent what is written
         */
        public void setMaxConcurrent(@Nullable String maxConcurrent) {
            this.maxConcurrent = maxConcurrent;
        }

        /** {@return {@code max-wait} as it is written, or null} */
        public @Nullable String getMaxWait() {
            return maxWait;
        }

        /**
         * Sets {@code max-wait}.
         *
         * @param maxWait what is written
         */
        public void setMaxWait(@Nullable String maxWait) {
            this.maxWait = maxWait;
        }
    }

    /** The keys of one island. */
    public static class KeyedIslandProperties extends IslandProperties {

        /** The key that signs calls to this island only. */
        @NestedConfigurationProperty
        private SigningKey sign = new SigningKey();

        /** Business keys that mean this island for @IslandKey, such as 310000 or 31*. */
        private @Nullable List<String> keys;

        /** Trained zstd dictionary for compression zstd or auto: none, or the name of one of highway.dictionaries. */
        private @Nullable String dictionary;

        /**
         * Gateways of services that have their own: "{interface pattern}.gateways.dubbo" and
         * "{interface pattern}.gateways.triple"; the most specific pattern wins.
         */
        private Map<String, String> services = new LinkedHashMap<>();

        /** {@return the keys below {@code sign}} */
        public SigningKey getSign() {
            return sign;
        }

        /**
         * Sets {@code sign}.
         *
         * @param sign what is written
         */
        public void setSign(SigningKey sign) {
            this.sign = sign;
        }

        /** {@return {@code keys} as it is written, or null} */
        public @Nullable List<String> getKeys() {
            return keys;
        }

        /**
         * Sets {@code keys}.
         *
         * @param keys what is written
         */
        public void setKeys(@Nullable List<String> keys) {
            this.keys = keys;
        }

        /** {@return {@code dictionary} as it is written, or null} */
        public @Nullable String getDictionary() {
            return dictionary;
        }

        /**
         * Sets {@code dictionary}.
         *
         * @param dictionary what is written
         */
        public void setDictionary(@Nullable String dictionary) {
            this.dictionary = dictionary;
        }

        /** {@return {@code services} as it is written} */
        public Map<String, String> getServices() {
            return services;
        }

        /**
         * Sets {@code services}.
         *
         * @param services what is written
         */
        public void setServices(Map<String, String> services) {
            this.services = services;
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

        /** {@return {@code interval} as it is written, or null} */
        public @Nullable String getInterval() {
            return interval;
        }

        /**
         * Sets {@code interval}.
         *
         * @param interval what is written
         */
        public void setInterval(@Nullable String interval) {
            this.interval = interval;
        }

        /** {@return {@code slow} as it is written, or null} */
        public @Nullable String getSlow() {
            return slow;
        }

        /**
         * Sets {@code slow}.
         *
         * @param slow what is written
         */
        public void setSlow(@Nullable String slow) {
            this.slow = slow;
        }

        /** {@return {@code service} as it is written, or null} */
        public @Nullable String getService() {
            return service;
        }

        /**
         * Sets {@code service}.
         *
         * @param service what is written
         */
        public void setService(@Nullable String service) {
            this.service = service;
        }
    }

    /** One line of JSON per crossing, on the logger highway.audit. */
    public static class Audit {

        /** Whether each crossing leaves a line at its caller, and one at its destination. */
        private @Nullable String enabled;

        /** Whether each of them leaves a line before it runs, too. */
        private @Nullable String start;

        /** What happens while the audit buffer is full: lines are counted as lost, or calls are refused. */
        private @Nullable String overflow;

        /** {@return {@code enabled} as it is written, or null} */
        public @Nullable String getEnabled() {
            return enabled;
        }

        /**
         * Sets {@code enabled}.
         *
         * @param enabled what is written
         */
        public void setEnabled(@Nullable String enabled) {
            this.enabled = enabled;
        }

        /** {@return {@code start} as it is written, or null} */
        public @Nullable String getStart() {
            return start;
        }

        /**
         * Sets {@code start}.
         *
         * @param start what is written
         */
        public void setStart(@Nullable String start) {
            this.start = start;
        }

        /** {@return {@code overflow} as it is written, or null} */
        public @Nullable String getOverflow() {
            return overflow;
        }

        /**
         * Sets {@code overflow}.
         *
         * @param overflow what is written
         */
        public void setOverflow(@Nullable String overflow) {
            this.overflow = overflow;
        }
    }

    /** Where the dynamic policy comes from. */
    public static class DynamicPolicy {

        /** Where the rule is: config-center, file:{path}, or none; config-center if the application has one. */
        private @Nullable String source;

        /** How long start-up may wait for the first read of the rule, such as 3s; 0 does not wait. */
        private @Nullable String wait;

        /** Directory where the last good rule is kept, for a start without the source; ~/.dubbo/highway if it is not set. */
        private @Nullable String directory;

        /** What is in force when the rule is deleted: the last good rule, or the static configuration. */
        private @Nullable String onDelete;

        /** Keys that a rule must not set, such as idempotent or fallback of any island, or services. */
        private @Nullable List<String> fixed;

        /** {@return {@code source} as it is written, or null} */
        public @Nullable String getSource() {
            return source;
        }

        /**
         * Sets {@code source}.
         *
         * @param source what is written
         */
        public void setSource(@Nullable String source) {
            this.source = source;
        }

        /** {@return {@code wait} as it is written, or null} */
        public @Nullable String getWait() {
            return wait;
        }

        /**
         * Sets {@code wait}.
         *
         * @param wait what is written
         */
        public void setWait(@Nullable String wait) {
            this.wait = wait;
        }

        /** {@return {@code directory} as it is written, or null} */
        public @Nullable String getDirectory() {
            return directory;
        }

        /**
         * Sets {@code directory}.
         *
         * @param directory what is written
         */
        public void setDirectory(@Nullable String directory) {
            this.directory = directory;
        }

        /** {@return {@code on-delete} as it is written, or null} */
        public @Nullable String getOnDelete() {
            return onDelete;
        }

        /**
         * Sets {@code on-delete}.
         *
         * @param onDelete what is written
         */
        public void setOnDelete(@Nullable String onDelete) {
            this.onDelete = onDelete;
        }

        /** {@return {@code fixed} as it is written, or null} */
        public @Nullable List<String> getFixed() {
            return fixed;
        }

        /**
         * Sets {@code fixed}.
         *
         * @param fixed what is written
         */
        public void setFixed(@Nullable List<String> fixed) {
            this.fixed = fixed;
        }
    }

    /** Circuit breaker of each endpoint. */
    public static class Breaker {

        /** Percent of the last 100 calls that may fail or be slow, 1 to 100, or none. */
        private @Nullable String failureRate;

        /** A longer call counts as slow, such as 2s; none if no call does. */
        private @Nullable String slowCall;

        /** {@return {@code failure-rate} as it is written, or null} */
        public @Nullable String getFailureRate() {
            return failureRate;
        }

        /**
         * Sets {@code failure-rate}.
         *
         * @param failureRate what is written
         */
        public void setFailureRate(@Nullable String failureRate) {
            this.failureRate = failureRate;
        }

        /** {@return {@code slow-call} as it is written, or null} */
        public @Nullable String getSlowCall() {
            return slowCall;
        }

        /**
         * Sets {@code slow-call}.
         *
         * @param slowCall what is written
         */
        public void setSlowCall(@Nullable String slowCall) {
            this.slowCall = slowCall;
        }
    }

    /** What the guard of a provider demands of calls. */
    public static class Guard {

        /** Peers that are gateways: addresses, ranges and host names; a call from one of them must have route headers. */
        private @Nullable List<String> gateways;

        /** Peers that may call without route headers: addresses and ranges. */
        private @Nullable List<String> home;

        /** What calls of other peers must have: nothing, route headers, or route headers with a signature. */
        private @Nullable String require;

        /** Whether ingress, rules and rates refuse calls, or only report which they would refuse. */
        private @Nullable String mode;

        /** Whether calls of callers without an owner are served or refused. */
        private @Nullable String unknownCallers;

        /** Who answers for callers from other islands, by pattern island/application. */
        private Map<String, GuardCaller> callers = new LinkedHashMap<>();

        /** Rules about calls from other islands, by name. */
        private Map<String, Rule> rules = new LinkedHashMap<>();

        /** {@return {@code gateways} as it is written, or null} */
        public @Nullable List<String> getGateways() {
            return gateways;
        }

        /**
         * Sets {@code gateways}.
         *
         * @param gateways what is written
         */
        public void setGateways(@Nullable List<String> gateways) {
            this.gateways = gateways;
        }

        /** {@return {@code home} as it is written, or null} */
        public @Nullable List<String> getHome() {
            return home;
        }

        /**
         * Sets {@code home}.
         *
         * @param home what is written
         */
        public void setHome(@Nullable List<String> home) {
            this.home = home;
        }

        /** {@return {@code require} as it is written, or null} */
        public @Nullable String getRequire() {
            return require;
        }

        /**
         * Sets {@code require}.
         *
         * @param require what is written
         */
        public void setRequire(@Nullable String require) {
            this.require = require;
        }

        /** {@return {@code mode} as it is written, or null} */
        public @Nullable String getMode() {
            return mode;
        }

        /**
         * Sets {@code mode}.
         *
         * @param mode what is written
         */
        public void setMode(@Nullable String mode) {
            this.mode = mode;
        }

        /** {@return {@code unknown-callers} as it is written, or null} */
        public @Nullable String getUnknownCallers() {
            return unknownCallers;
        }

        /**
         * Sets {@code unknown-callers}.
         *
         * @param unknownCallers what is written
         */
        public void setUnknownCallers(@Nullable String unknownCallers) {
            this.unknownCallers = unknownCallers;
        }

        /** {@return {@code callers} as it is written} */
        public Map<String, GuardCaller> getCallers() {
            return callers;
        }

        /**
         * Sets {@code callers}.
         *
         * @param callers what is written
         */
        public void setCallers(Map<String, GuardCaller> callers) {
            this.callers = callers;
        }

        /** {@return {@code rules} as it is written} */
        public Map<String, Rule> getRules() {
            return rules;
        }

        /**
         * Sets {@code rules}.
         *
         * @param rules what is written
         */
        public void setRules(Map<String, Rule> rules) {
            this.rules = rules;
        }
    }

    /** Callers from other islands. */
    public static class GuardCaller {

        /** Who answers for them: a person or a team, as text. */
        private @Nullable String owner;

        /** {@return {@code owner} as it is written, or null} */
        public @Nullable String getOwner() {
            return owner;
        }

        /**
         * Sets {@code owner}.
         *
         * @param owner what is written
         */
        public void setOwner(@Nullable String owner) {
            this.owner = owner;
        }
    }

    /** One rule about calls from other islands. */
    public static class Rule {

        /** What the rule does with the calls that it matches: allow, deny or audit. */
        private @Nullable String action;

        /** The callers that it matches, as patterns island/application; without it all. */
        private @Nullable List<String> from;

        /** The methods that it matches, as patterns; without it all. */
        private @Nullable List<String> to;

        /** Of an allow rule: the calls per second of each caller and process, such as 200/s. */
        private @Nullable String rate;

        /** {@return {@code action} as it is written, or null} */
        public @Nullable String getAction() {
            return action;
        }

        /**
         * Sets {@code action}.
         *
         * @param action what is written
         */
        public void setAction(@Nullable String action) {
            this.action = action;
        }

        /** {@return {@code from} as it is written, or null} */
        public @Nullable List<String> getFrom() {
            return from;
        }

        /**
         * Sets {@code from}.
         *
         * @param from what is written
         */
        public void setFrom(@Nullable List<String> from) {
            this.from = from;
        }

        /** {@return {@code to} as it is written, or null} */
        public @Nullable List<String> getTo() {
            return to;
        }

        /**
         * Sets {@code to}.
         *
         * @param to what is written
         */
        public void setTo(@Nullable List<String> to) {
            this.to = to;
        }

        /** {@return {@code rate} as it is written, or null} */
        public @Nullable String getRate() {
            return rate;
        }

        /**
         * Sets {@code rate}.
         *
         * @param rate what is written
         */
        public void setRate(@Nullable String rate) {
            this.rate = rate;
        }
    }

    /** The key that signs calls. */
    public static class SigningKey {

        /** Id of the key that route headers are signed with; written together with its secret. */
        private @Nullable String keyId;

        /** Secret of that key: any text, or file:<path> of a file with one secret per line, the first of which signs. */
        private @Nullable String secret;

        /** {@return {@code key-id} as it is written, or null} */
        public @Nullable String getKeyId() {
            return keyId;
        }

        /**
         * Sets {@code key-id}.
         *
         * @param keyId what is written
         */
        public void setKeyId(@Nullable String keyId) {
            this.keyId = keyId;
        }

        /** {@return {@code secret} as it is written, or null} */
        public @Nullable String getSecret() {
            return secret;
        }

        /**
         * Sets {@code secret}.
         *
         * @param secret what is written
         */
        public void setSecret(@Nullable String secret) {
            this.secret = secret;
        }
    }

    /** Signed route headers. */
    public static class Sign extends SigningKey {

        /**
         * At the receiver: secrets of the keys to accept, by key id, as text or file:<path>; with any, unsigned calls are
         * refused.
         */
        private Map<String, String> accept = new LinkedHashMap<>();

        /** At the receiver: the callers that may use a key, by key id, such as zhejiang/*. */
        private Map<String, String> acceptFrom = new LinkedHashMap<>();

        /** At the receiver: enforce, or shadow: calls without a valid signature are only reported. */
        private String mode = "enforce";

        /** Version of the signatures that this process writes; without it the newest that this release knows. */
        private @Nullable String version;

        /** At the receiver: the versions of signatures to accept; without it the newest that this release knows. */
        private @Nullable String acceptVersions;

        /** At the receiver: how many signatures the process remembers; when it is reached, signed calls are refused. */
        private String maxNonces = "1000000";

        /** {@return {@code accept} as it is written} */
        public Map<String, String> getAccept() {
            return accept;
        }

        /**
         * Sets {@code accept}.
         *
         * @param accept what is written
         */
        public void setAccept(Map<String, String> accept) {
            this.accept = accept;
        }

        /** {@return {@code accept-from} as it is written} */
        public Map<String, String> getAcceptFrom() {
            return acceptFrom;
        }

        /**
         * Sets {@code accept-from}.
         *
         * @param acceptFrom what is written
         */
        public void setAcceptFrom(Map<String, String> acceptFrom) {
            this.acceptFrom = acceptFrom;
        }

        /** {@return {@code mode} as it is written} */
        public String getMode() {
            return mode;
        }

        /**
         * Sets {@code mode}.
         *
         * @param mode what is written
         */
        public void setMode(String mode) {
            this.mode = mode;
        }

        /** {@return {@code version} as it is written, or null} */
        public @Nullable String getVersion() {
            return version;
        }

        /**
         * Sets {@code version}.
         *
         * @param version what is written
         */
        public void setVersion(@Nullable String version) {
            this.version = version;
        }

        /** {@return {@code accept-versions} as it is written, or null} */
        public @Nullable String getAcceptVersions() {
            return acceptVersions;
        }

        /**
         * Sets {@code accept-versions}.
         *
         * @param acceptVersions what is written
         */
        public void setAcceptVersions(@Nullable String acceptVersions) {
            this.acceptVersions = acceptVersions;
        }

        /** {@return {@code max-nonces} as it is written} */
        public String getMaxNonces() {
            return maxNonces;
        }

        /**
         * Sets {@code max-nonces}.
         *
         * @param maxNonces what is written
         */
        public void setMaxNonces(String maxNonces) {
            this.maxNonces = maxNonces;
        }
    }
}
