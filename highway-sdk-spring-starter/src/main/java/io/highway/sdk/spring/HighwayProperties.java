// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The {@code highway.*} keys, for editors and {@code /actuator/configprops}; nothing reads the values. Each is text or
 * a list of texts, since one parser validates the values of every source.
 *
 * @param enabled Whether calls can leave home; false means plain Dubbo at no cost.
 * @param island Id of the island this process runs in: a lower-case DNS label of 1 to 63 characters. Required with any
 *     other key.
 * @param doctor Probe of every island after start-up: none, or warn (a log line).
 * @param maxBuffered How many bytes of requests and of gateways' answers this process buffers and inflates at a time: 128MB, 1GB.
 * @param http Calls over HTTP/1.1 from other islands.
 * @param maxHops How many islands a chain of calls may cross, from 1 to 100.
 * @param gateways The gateways of home.
 * @param defaults Settings of every island that does not override them.
 * @param islands Settings of each island, by its id; an island is known if any key of it is set.
 * @param services Routes services without touching their code: "{interface}.island" is the destination,
 *     "{interface}.when" is always or home-absent. "{interface}.require-island" is true to refuse calls that name no
 *     island.
 * @param dictionaries Trained zstd dictionaries that islands choose by name: file: and the path of each.
 * @param heartbeat End-to-end health checks of the endpoints to islands.
 * @param audit One line of JSON per crossing, on the logger highway.audit.
 * @param guard What the guard of a provider demands of calls.
 * @param sign Signed route headers.
 * @param policy The dynamic policy: a rule that changes settings without a restart.
 */
@ConfigurationProperties(prefix = "highway", ignoreInvalidFields = true) // the parser reports it with more detail
@NullUnmarked // what is not set is null
record HighwayProperties(
        String enabled,
        String island,
        String doctor,
        String maxBuffered,
        Http http,
        String maxHops,
        HomeGateways gateways,
        IslandProperties defaults,
        Map<String, IslandProperties> islands,
        Map<String, String> services,
        Map<String, String> dictionaries,
        Heartbeat heartbeat,
        Audit audit,
        Guard guard,
        Sign sign,
        DynamicPolicy policy) {

    /** In logs, instead of what has a secret. */
    private static final String HIDDEN = "******";

    /**
     * Gateway addresses.
     *
     * @param dubbo Gateway addresses for the Dubbo protocol: a list of host:port or dubbo://host:port.
     * @param triple Gateway addresses for Triple: a list of host:port or tri://host:port.
     * @param http Gateway addresses for HTTP/1.1: a list of host:port or http://host:port.
     * @param connectTimeout Time limit for a connection to these gateways and its first answer; a number without a unit
     *     is milliseconds.
     * @param tls TLS settings of these gateways.
     * @param proxy Forward proxy to these gateways: http://host:port or socks5://host:port; empty for none.
     */
    record Gateways(
            List<String> dubbo, List<String> triple, List<String> http, String connectTimeout, Tls tls, String proxy) {

        @Override
        public String toString() {
            return HIDDEN;
        }
    }

    /**
     * TLS settings of gateways.
     *
     * @param enabled Whether gateways are reached over TLS: true, false, or only dubbo, triple or http; true if another of
     *     these keys is set.
     * @param trustCertificates File with the authorities that may sign a gateway's certificate: PEM, PKCS#12 or JKS;
     *     without it those that the Java runtime trusts.
     * @param trustPassword Password of the trust-certificates file, if it is a key store.
     * @param certificate File with our own certificate, which gateways may demand: PEM, or a key store that holds the
     *     private key too.
     * @param privateKey File with our private key, PEM in PKCS#8; without it the file of the certificate.
     * @param keyPassword Password of the private key, or of the key store.
     * @param verifyHost Whether a gateway's certificate must name the host that was called.
     */
    record Tls(
            String enabled,
            String trustCertificates,
            String trustPassword,
            String certificate,
            String privateKey,
            String keyPassword,
            String verifyHost) {

        @Override
        public String toString() {
            return HIDDEN;
        }
    }

    /**
     * Gateway addresses of home, and the connections to them.
     *
     * @param dubbo Gateway addresses for the Dubbo protocol: a list of host:port or dubbo://host:port.
     * @param triple Gateway addresses for Triple: a list of host:port or tri://host:port.
     * @param http Gateway addresses for HTTP/1.1: a list of host:port or http://host:port.
     * @param connectTimeout Time limit for a connection to these gateways and its first answer; a number without a unit
     *     is milliseconds.
     * @param tls TLS settings of these gateways.
     * @param proxy Forward proxy to these gateways: http://host:port or socks5://host:port, with user:password@ before
     *     the host if it asks for them; a password may be file:<path>.
     * @param httpMaxConnections Connections to each of these gateway addresses by HTTP/1.1; each carries one call.
     * @param maxBytesInFlight Request bytes in flight to a gateway address, at most, such as 64MB; further calls are
     *     refused as busy.
     */
    record HomeGateways(
            List<String> dubbo,
            List<String> triple,
            List<String> http,
            String connectTimeout,
            Tls tls,
            String proxy,
            String httpMaxConnections,
            String maxBytesInFlight) {

        @Override
        public String toString() {
            return HIDDEN;
        }
    }

    /**
     * The bulk calls to an island.
     *
     * @param methods Patterns of methods whose calls are bulk, such as upload* or com.foo.Files#put.
     * @param over A call with a larger request is bulk, such as 16KB, or none.
     * @param maxConcurrent Maximum number of bulk calls in flight: a number, or unlimited.
     * @param maxWait How long a bulk call waits for a permit before it is refused as busy, at most until its own
     *     deadline.
     */
    record Bulk(List<String> methods, String over, String maxConcurrent, String maxWait) {}

    /**
     * The keys of an island, or of every island. The metadata leaves out of {@code highway.defaults} those that only one can
     * have.
     *
     * @param tunnel Protocols that carry calls, in the order of preference: dubbo, triple, a list, or auto for
     *     triple,dubbo.
     * @param gateways Gateway addresses for this destination only, instead of home's.
     * @param fallback Who may serve a call that certainly did not run: none, home, or an island.
     * @param fallbackMethods Patterns of methods that the fallback may serve, such as query* or com.foo.Sms#get*; required
     *     if it is an island, all methods by default if it is home.
     * @param timeout Time for a call, instead of the reference's; a number without a unit is milliseconds. Without both
     *     it is 3 seconds.
     * @param retries Retries of idempotent methods that may have run, from 0 to 10; calls that were not sent are tried
     *     over every gateway anyway.
     * @param idempotent Patterns of methods that may be tried again even if they may have run, such as query* or
     *     com.foo.Sms#get*.
     * @param maxRequestSize Largest request that is sent; a number without a unit is bytes.
     * @param serialization Serialization that the destination's gateway and providers support: hessian2 or fastjson2.
     * @param compression Compression of Triple's messages: none; gzip; zstd, which all providers there must read; auto
     *     for zstd once they have advertised it. The last two need zstd-jni.
     * @param maxConcurrent Maximum number of calls in flight: a number, unlimited, or auto for the capacity of the
     *     connection without queueing.
     * @param maxWait How long a call waits for a permit before it is refused as busy, such as 50ms.
     * @param bulk Bulk calls, which have connections and a concurrency limit for themselves.
     * @param breaker Circuit breaker of each endpoint.
     * @param deny Patterns of methods that must not cross now, for a switch-over.
     * @param sign The key that signs calls to this island only.
     * @param keys Business keys that mean this island for @IslandKey, such as 310000 or 31*.
     * @param dictionary Trained zstd dictionary for compression zstd or auto: none, or the name of one of
     *     highway.dictionaries.
     * @param services Gateways of services that have their own: "{interface pattern}.gateways.dubbo" and "{interface
     *     pattern}.gateways.triple"; the most specific pattern wins.
     * @param servedBy Islands that answer the calls for it: one, or each with a weight from 0 to 1000, such as
     *     shanghai:95,hangzhou:5; home may be one.
     */
    record IslandProperties(
            String tunnel,
            Gateways gateways,
            String fallback,
            List<String> fallbackMethods,
            String timeout,
            String retries,
            List<String> idempotent,
            String maxRequestSize,
            String serialization,
            String compression,
            String maxConcurrent,
            String maxWait,
            Bulk bulk,
            Breaker breaker,
            List<String> deny,
            SigningKey sign,
            List<String> keys,
            String dictionary,
            Map<String, String> services,
            List<String> servedBy) {}

    /**
     * End-to-end health checks of the endpoints to islands.
     *
     * @param interval How often every endpoint to an island in use is probed end to end, such as 10s, or none.
     * @param slow A health check that takes longer is logged once; one that takes twice as long counts as missed.
     * @param service Service that health checks call, as [group/]interface[:version]; without it one that this process
     *     uses there.
     */
    record Heartbeat(String interval, String slow, String service) {}

    /**
     * One line of JSON per crossing, on the logger highway.audit.
     *
     * @param enabled Whether each crossing leaves a line at its caller, and one at its destination.
     * @param start Whether each of them leaves a line before it runs, too.
     * @param overflow What happens while the audit buffer is full: lines are counted as lost, or calls are refused.
     */
    record Audit(String enabled, String start, String overflow) {}

    /**
     * Calls over HTTP/1.1 from other islands.
     *
     * @param port The port on which a provider serves them, and nothing else. They need route headers whatever
     *     highway.guard.require says.
     */
    record Http(String port) {}

    /**
     * Where the dynamic policy comes from.
     *
     * @param source Where the rule is: config-center, file:{path}, or none; config-center if the application has one.
     * @param directory Directory where the last good rule is kept, for a start without the source; ~/.dubbo/highway if
     *     it is not set.
     * @param fixed Keys that a rule must not set, such as idempotent or fallback of any island, or services.
     */
    record DynamicPolicy(String source, String directory, List<String> fixed) {}

    /**
     * Circuit breaker of each endpoint.
     *
     * @param failureRate Percent of the last 100 calls that may fail or be slow, 1 to 100, or none.
     * @param slowCall A longer call counts as slow, such as 2s; none if no call does.
     */
    record Breaker(String failureRate, String slowCall) {}

    /**
     * What the guard of a provider demands of calls.
     *
     * @param gateways Peers that are gateways: addresses, ranges and host names; a call from one of them must have
     *     route headers.
     * @param home Peers that may call without route headers: addresses and ranges.
     * @param require What calls of other peers must have: nothing, route headers, or route headers with a signature.
     * @param mode Whether ingress, rules and rates refuse calls, or only report which they would refuse.
     * @param unknownCallers Whether calls of callers without an owner are served or refused.
     * @param standsInFor By the id of another island: methods that are served for calls that asked for it, as patterns.
     * @param callers Who answers for callers from other islands, by pattern island/application.
     * @param rules Rules about calls from other islands, by name.
     */
    record Guard(
            List<String> gateways,
            List<String> home,
            String require,
            String mode,
            String unknownCallers,
            Map<String, List<String>> standsInFor,
            Map<String, GuardCaller> callers,
            Map<String, Rule> rules) {}

    /**
     * Callers from other islands.
     *
     * @param owner Who answers for them: a person or a team, as text.
     */
    record GuardCaller(String owner) {}

    /**
     * One rule about calls from other islands.
     *
     * @param action What the rule does with the calls that it matches: allow, deny or audit.
     * @param from The callers that it matches, as patterns island/application; without it all.
     * @param to The methods that it matches, as patterns; without it all.
     * @param rate Of an allow rule: the calls per second of each caller and process, such as 200/s.
     */
    record Rule(String action, List<String> from, List<String> to, String rate) {}

    /**
     * The key that signs calls.
     *
     * @param keyId Id of the key that route headers are signed with; written together with its secret.
     * @param secret Secret of that key: any text, or file:<path> of a file with one secret per line, the first of which
     *     signs.
     */
    record SigningKey(String keyId, String secret) {

        @Override
        public String toString() {
            return HIDDEN;
        }
    }

    /**
     * Signed route headers.
     *
     * @param keyId Id of the key that route headers are signed with; written together with its secret.
     * @param secret Secret of that key: any text, or file:<path> of a file with one secret per line, the first of which
     *     signs.
     * @param accept At the receiver: secrets of the keys to accept, by key id, as text or file:<path>; with any,
     *     unsigned calls are refused.
     * @param acceptFrom At the receiver: the callers that may use a key, by key id, such as zhejiang/*.
     * @param mode At the receiver: enforce, or shadow: calls without a valid signature are only reported.
     * @param maxNonces At the receiver: how many signatures the process remembers; when it is reached, signed calls are
     *     refused.
     */
    record Sign(
            String keyId,
            String secret,
            Map<String, String> accept,
            Map<String, String> acceptFrom,
            String mode,
            String maxNonces) {

        @Override
        public String toString() {
            return HIDDEN;
        }
    }
}
