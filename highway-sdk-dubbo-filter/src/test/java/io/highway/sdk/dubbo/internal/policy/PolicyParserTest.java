// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.Island;
import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.IntentSource;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy.Breaking;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy.Bulk;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy.Concurrency;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyParserTest {

    private static final int ONE_LINE = 250;

    private static final List<GatewaySpec> HOME_DUBBO = List.of(new GatewaySpec(
            GatewayAddress.of(TunnelKind.DUBBO, "gateway", 20880, false), null, null, 3000, TrafficClass.INTERACTIVE));
    private static final List<GatewaySpec> HOME_TRIPLE = List.of(new GatewaySpec(
            GatewayAddress.of(TunnelKind.TRIPLE, "gateway", 50051, false), null, null, 3000, TrafficClass.INTERACTIVE));

    /** Each line is one {@code key=value} below {@code highway.}. */
    private static Map<String, String> keys(String... lines) {
        Map<String, String> entries = new LinkedHashMap<>();
        for (String line : lines) {
            int equals = line.indexOf('=');
            entries.put("highway." + line.substring(0, equals), line.substring(equals + 1));
        }
        return entries;
    }

    /** Home with gateways of both kinds, and the lines. */
    private static Map<String, String> home(String... lines) {
        Map<String, String> entries =
                keys("island=zhejiang", "gateways.dubbo=gateway:20880", "gateways.triple=gateway:50051");
        entries.putAll(keys(lines));
        return entries;
    }

    private static Policy parse(Map<String, String> entries) {
        return PolicyParser.parse(RawSettings.of(entries, "test"), "static", null)
                .orElseThrow();
    }

    private static IslandPolicy shanghai(String... lines) {
        Map<String, String> entries = home("islands.shanghai.fallback=none");
        entries.putAll(keys(lines));
        return parse(entries).forIsland("shanghai");
    }

    @Test
    void isEmpty_whenThereIsNoKey() {
        assertThat(PolicyParser.parse(RawSettings.of(Map.of(), "test"), "static", null))
                .isEmpty();
    }

    @Test
    void isEmpty_whenSwitchedOff() {
        assertThat(PolicyParser.parse(RawSettings.of(keys("enabled=false"), "test"), "static", null))
                .isEmpty();
        assertThat(PolicyParser.parse(RawSettings.of(home("enabled=false"), "test"), "static", null))
                .isEmpty();
        assertThat(PolicyParser.parse(
                        RawSettings.of(keys("enabled=false", "island=NOT AN ID"), "test"), "static", null))
                .isEmpty();
    }

    @Test
    void isThere_whenSwitchedOn() {
        assertThat(PolicyParser.parse(RawSettings.of(home("enabled=true"), "test"), "static", null))
                .isPresent();
    }

    @Test
    void connectTimeout_isHomes_orTheIslands_butOneForAnAddress() {
        Policy policy = parse(home(
                "gateways.connect-timeout=5s",
                "islands.shanghai.gateways.dubbo=far:1",
                "islands.shanghai.gateways.connect-timeout=8s",
                "islands.beijing.retries=1"));

        assertThat(policy.forIsland("shanghai").gateways(TunnelKind.DUBBO))
                .extracting(GatewaySpec::connectMillis)
                .containsExactly(8000);
        assertThat(policy.forIsland("beijing").gateways(TunnelKind.DUBBO))
                .extracting(GatewaySpec::connectMillis)
                .containsExactly(5000);
        assertThatThrownBy(
                        () -> parse(home("islands.shanghai.gateways.connect-timeout=8s", "islands.beijing.retries=1")))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessageContainingAll("gateways.connect-timeout", "gateway:50051", "the same time");
    }

    @Test
    void needsAHomeOnly() {
        Policy policy = parse(keys("island=zhejiang"));

        assertThat(policy.home()).isEqualTo("zhejiang");
        assertThat(policy.knownIslands()).isEmpty();
        assertThat(policy.gateways()).isEmpty();
    }

    @Test
    void fillsInEveryDefault() {
        Policy policy = parse(home("islands.shanghai.tunnel=auto"));

        assertThat(policy.version()).isEqualTo("static");
        assertThat(policy.knownIslands()).containsExactly("shanghai");
        assertThat(policy.forIsland("atlantis")).isNull();
        assertThat(policy.local().maxHops()).isEqualTo(3);
        assertThat(policy.local().heartbeat()).isEqualTo(new HealthCheckPolicy(10_000, 1000, null));
        assertThat(policy.local().httpConnections()).isEqualTo(64);
        assertThat(policy.local().maxBytesInFlight()).isEmpty();
        assertThat(policy.signing()).isEqualTo(new SigningKeys(null, Map.of(), Map.of(), 1_000_000, false));
        assertThat(policy.serviceIntent("com.foo.Sms")).isEqualTo(Intent.NONE);
        assertThat(policy.forIsland("shanghai"))
                .isEqualTo(new IslandPolicy(
                        "shanghai",
                        "",
                        IslandPolicy.Routes.of(
                                List.of(TunnelKind.TRIPLE, TunnelKind.DUBBO, TunnelKind.HTTP),
                                Map.of(
                                        TunnelKind.DUBBO,
                                        HOME_DUBBO,
                                        TunnelKind.TRIPLE,
                                        HOME_TRIPLE,
                                        TunnelKind.HTTP,
                                        List.of()),
                                List.of()),
                        new IslandPolicy.Calls(
                                new IslandPolicy.Fallback("none", MethodPatterns.NONE),
                                0,
                                0,
                                MethodPatterns.NONE,
                                MethodPatterns.NONE),
                        new IslandPolicy.Wire(4 * 1024 * 1024, "hessian2", IslandPolicy.Compression.NONE, null),
                        new IslandPolicy.Limits(Concurrency.UNLIMITED, new Breaking(50, 0), null),
                        Set.of(),
                        null));
    }

    @Test
    void readsHeartbeatAndConnections() {
        Policy policy = parse(home(
                "heartbeat.interval=none",
                "heartbeat.slow=300ms",
                "heartbeat.service=blue/com.foo.Sms:1.0.0",
                "gateways.http-max-connections=4",
                "gateways.max-bytes-in-flight=2GB"));

        assertThat(policy.local().heartbeat()).isEqualTo(new HealthCheckPolicy(0, 300, "blue/com.foo.Sms:1.0.0"));
        assertThat(policy.local().httpConnections()).isEqualTo(4);
        assertThat(policy.local().maxBytesInFlight()).hasValue(2L << 30);
    }

    @Test
    void readsThatTheLinkDecides_andThatNoCallCounts() {
        IslandPolicy shanghai = shanghai(
                "islands.shanghai.max-concurrent=auto", "defaults.breaker.failure-rate=none", "defaults.max-wait=0");

        assertThat(shanghai.limits().concurrency()).isEqualTo(new Concurrency(0, true, 0));
        assertThat(shanghai.limits().breaking()).isEqualTo(new Breaking(0, 0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "islands.shanghai.max-concurrent=0 | unlimited, auto or a whole number from 1 to 1000000",
                "islands.shanghai.max-concurrent=many | unlimited, auto or a whole number from 1 to 1000000",
                "islands.shanghai.max-wait=soon | 0 or a duration up to 24 days",
                "islands.shanghai.bulk.methods=upload() | method or interface#method",
                "islands.shanghai.bulk.over=0 | none or a size from 1B to 1GB",
                "islands.shanghai.bulk.over=16K | none or a size from 1B to 1GB",
                "islands.shanghai.bulk.max-concurrent=auto | unlimited or a whole number from 1 to 1000000",
                "islands.shanghai.bulk.max-wait=soon | 0 or a duration up to 24 days",
                "defaults.bulk.max-wait=none | 0 or a duration up to 24 days",
                "islands.shanghai.breaker.failure-rate=0 | none or a whole number from 1 to 100",
                "islands.shanghai.breaker.slow-call=0 | none or a duration from 1ms",
                "heartbeat.interval=0 | none or a duration from 1ms",
                "heartbeat.slow=none | a duration from 1ms",
                "heartbeat.service=com foo | [group/]interface[:version]",
                "gateways.http-max-connections=1025 | a whole number from 1 to 1024",
                "gateways.max-bytes-in-flight=0 | a size from 1B to 1TB",
                "heartbeat=on | it is a group of keys",
            })
    void namesWhatIsAllowed_forKeysThatProtectTheNetwork(String line, String allowed) {
        assertThatThrownBy(() -> parse(home(line)))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessageContaining("highway." + line.substring(0, line.indexOf('=')))
                .hasMessageContaining(allowed);
    }

    @Test
    void readsEveryKeyOfAnIsland() {
        IslandPolicy shanghai = shanghai(
                "islands.shanghai.tunnel=triple",
                "islands.shanghai.gateways.dubbo=own:1, dubbo://own:2 ,own:1",
                "islands.shanghai.gateways.triple=tri://own:3",
                "islands.shanghai.fallback=home",
                "islands.shanghai.timeout=3s",
                "islands.shanghai.retries=2",
                "islands.shanghai.idempotent=query*, com.foo.Sms#get*",
                "islands.shanghai.max-request-size=512KB",
                "islands.shanghai.serialization=fastjson2",
                "islands.shanghai.compression=gzip",
                "islands.shanghai.max-concurrent=64",
                "islands.shanghai.max-wait=200ms",
                "islands.shanghai.bulk.methods=upload*,com.foo.Sms#send*",
                "islands.shanghai.bulk.over=16KB",
                "islands.shanghai.bulk.max-concurrent=3",
                "islands.shanghai.bulk.max-wait=2s",
                "islands.shanghai.breaker.failure-rate=30",
                "islands.shanghai.breaker.slow-call=2s",
                "islands.shanghai.deny=com.foo.Mms#*",
                "islands.shanghai.keys=310000, 31* ,");

        assertThat(shanghai)
                .isEqualTo(new IslandPolicy(
                        "shanghai",
                        "",
                        IslandPolicy.Routes.of(
                                List.of(TunnelKind.TRIPLE),
                                Map.of(
                                        TunnelKind.DUBBO,
                                        List.of(
                                                new GatewaySpec(
                                                        GatewayAddress.of(TunnelKind.DUBBO, "own", 1, false),
                                                        null,
                                                        null,
                                                        3000,
                                                        TrafficClass.INTERACTIVE),
                                                new GatewaySpec(
                                                        GatewayAddress.of(TunnelKind.DUBBO, "own", 2, false),
                                                        null,
                                                        null,
                                                        3000,
                                                        TrafficClass.INTERACTIVE)),
                                        TunnelKind.HTTP,
                                        List.of(),
                                        TunnelKind.TRIPLE,
                                        List.of(new GatewaySpec(
                                                GatewayAddress.of(TunnelKind.TRIPLE, "own", 3, false),
                                                null,
                                                null,
                                                3000,
                                                TrafficClass.INTERACTIVE))),
                                List.of()),
                        new IslandPolicy.Calls(
                                new IslandPolicy.Fallback("home", MethodPatterns.ALL),
                                3000,
                                2,
                                new MethodPatterns(List.of("query*", "com.foo.Sms#get*")),
                                new MethodPatterns(List.of("com.foo.Mms#*"))),
                        new IslandPolicy.Wire(512 * 1024, "fastjson2", IslandPolicy.Compression.GZIP, null),
                        new IslandPolicy.Limits(
                                new Concurrency(64, false, 200),
                                new Breaking(30, 2000),
                                new Bulk(
                                        new MethodPatterns(List.of("upload*", "com.foo.Sms#send*")),
                                        16 * 1024,
                                        new Concurrency(3, false, 2000))),
                        Set.of("310000", "31*"),
                        null));
        assertThat(shanghai.onlyTunnel()).isEqualTo(TunnelKind.TRIPLE);
        assertThat(shanghai.allows(TunnelKind.TRIPLE)).isTrue();
        assertThat(shanghai.allows(TunnelKind.DUBBO)).isFalse();
    }

    @Test
    void inheritsFromDefaults_andOverridesThem() {
        Policy policy = parse(home(
                "defaults.tunnel=dubbo",
                "defaults.fallback=home",
                "defaults.timeout=2s",
                "defaults.retries=1",
                "defaults.idempotent=get*",
                "defaults.max-request-size=1MB",
                "defaults.serialization=fastjson2",
                "defaults.compression=gzip",
                "defaults.deny=delete*",
                "defaults.gateways.dubbo=shared:1",
                "islands.shanghai.keys=31*",
                "islands.beijing.tunnel=triple",
                "islands.beijing.fallback=none",
                "islands.beijing.timeout=500ms",
                "islands.beijing.retries=0",
                "islands.beijing.idempotent=query*",
                "islands.beijing.max-request-size=100",
                "islands.beijing.serialization=hessian2",
                "islands.beijing.compression=none",
                "islands.beijing.deny=",
                "islands.beijing.gateways.dubbo=own:1"));

        IslandPolicy shanghai = policy.forIsland("shanghai");
        assertThat(shanghai.onlyTunnel()).isEqualTo(TunnelKind.DUBBO);
        assertThat(shanghai.calls().fallback().to()).isEqualTo("home");
        assertThat(shanghai.calls().timeoutMillis()).isEqualTo(2000);
        assertThat(shanghai.calls().retries()).isEqualTo(1);
        assertThat(shanghai.calls().idempotent().patterns()).containsExactly("get*");
        assertThat(shanghai.wire().maxRequestBytes()).isEqualTo(1024 * 1024);
        assertThat(shanghai.wire().serialization()).isEqualTo("fastjson2");
        assertThat(shanghai.wire().compression()).isEqualTo(IslandPolicy.Compression.GZIP);
        assertThat(shanghai.calls().deny().patterns()).containsExactly("delete*");
        assertThat(shanghai.gateways(TunnelKind.DUBBO))
                .extracting(gateway -> gateway.address().host())
                .containsExactly("shared");
        assertThat(shanghai.gateways(TunnelKind.TRIPLE)).isEqualTo(HOME_TRIPLE);
        IslandPolicy beijing = policy.forIsland("beijing");
        assertThat(beijing.onlyTunnel()).isEqualTo(TunnelKind.TRIPLE);
        assertThat(beijing.calls().fallback().to()).isEqualTo("none");
        assertThat(beijing.calls().timeoutMillis()).isEqualTo(500);
        assertThat(beijing.calls().retries()).isZero();
        assertThat(beijing.calls().idempotent().patterns()).containsExactly("query*");
        assertThat(beijing.wire().maxRequestBytes()).isEqualTo(100);
        assertThat(beijing.wire().serialization()).isEqualTo("hessian2");
        assertThat(beijing.wire().compression()).isEqualTo(IslandPolicy.Compression.NONE);
        assertThat(beijing.calls().deny().patterns()).isEmpty();
        assertThat(beijing.gateways(TunnelKind.DUBBO))
                .extracting(gateway -> gateway.address().host())
                .containsExactly("own");
    }

    private static String dubboOf(IslandPolicy shanghai, String service) {
        return shanghai.of(service).gateways(TunnelKind.DUBBO).get(0).address().host();
    }

    @Test
    void findsTheMostSpecificGatewaysOfAService() {
        IslandPolicy shanghai = shanghai(
                "islands.shanghai.gateways.dubbo=all:1",
                "islands.shanghai.deny=drop",
                "islands.shanghai.services.com.foo.*.gateways.dubbo=foo:1",
                "islands.shanghai.services.com.foo.billing.*.gateways.dubbo=billing:1",
                "islands.shanghai.services.com.foo.billing.Tax.gateways.dubbo=tax:1",
                "islands.shanghai.services.com.foo.billing.Tax*.gateways.dubbo=taxes:1",
                "islands.shanghai.services.*Admin.gateways.triple=admin:2",
                "islands.shanghai.services.com.foo.gateways.Sms.gateways.dubbo=sms:1");

        assertThat(dubboOf(shanghai, "com.bar.Sms")).isEqualTo("all");
        assertThat(dubboOf(shanghai, "com.foo.Sms")).isEqualTo("foo");
        assertThat(dubboOf(shanghai, "com.foo.billing.Bill")).isEqualTo("billing");
        assertThat(dubboOf(shanghai, "com.foo.billing.Taxes")).isEqualTo("taxes");
        assertThat(dubboOf(shanghai, "com.foo.billing.Tax")).isEqualTo("tax");
        assertThat(dubboOf(shanghai, "com.foo.gateways.Sms")).isEqualTo("sms");
        IslandPolicy admin = shanghai.of("com.bar.Admin");
        assertThat(admin.gateways(TunnelKind.TRIPLE))
                .extracting(gateway -> gateway.address().host())
                .containsExactly("admin");
        assertThat(admin.gateways(TunnelKind.DUBBO)).isEqualTo(shanghai.gateways(TunnelKind.DUBBO));
        assertThat(admin.calls().deny().patterns()).containsExactly("drop");
        assertThat(shanghai.withServices()).hasSize(7);
    }

    @Test
    void connectsTheGatewaysOfServices() {
        Policy policy = parse(home("islands.shanghai.services.com.foo.*.gateways.dubbo=foo:1"));

        assertThat(policy.knownIslands()).containsExactly("shanghai");
        assertThat(policy.gateways())
                .extracting(gateway -> gateway.address().host())
                .containsExactlyInAnyOrder("gateway", "gateway", "foo");
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "500ms, 500", "3s, 3000", "2m, 120000", "1h, 3600000", "3 S, 3000", "576h, 2073600000"})
    void readsDurations(String text, int millis) {
        assertThat(shanghai("islands.shanghai.timeout=" + text).calls().timeoutMillis())
                .isEqualTo(millis);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "64B, 64", "100b, 100", "64KB, 65536", "64 kb, 65536", "4MB, 4194304", "1GB, 1073741824"})
    void readsSizes(String text, int bytes) {
        assertThat(shanghai("islands.shanghai.max-request-size=" + text).wire().maxRequestBytes())
                .isEqualTo(bytes);
    }

    @Test
    void readsWhatServicesSay() {
        Policy policy = parse(home(
                "islands.shanghai.tunnel=auto",
                "services.com.foo.Sms.island=shanghai",
                "services.com.foo.File.island=shanghai",
                "services.com.foo.File.when=home-absent",
                "services.Plain.island=zhejiang",
                "services.Plain.when=always"));

        assertThat(policy.serviceIntent("com.foo.Sms"))
                .isEqualTo(Intent.of(IntentSource.CONFIGURATION, "shanghai", Island.When.ALWAYS))
                .extracting(Intent::source)
                .isEqualTo(IntentSource.CONFIGURATION);
        assertThat(policy.serviceIntent("com.foo.File"))
                .isEqualTo(Intent.of(IntentSource.CONFIGURATION, "shanghai", Island.When.HOME_ABSENT));
        assertThat(policy.serviceIntent("Plain"))
                .isEqualTo(Intent.of(IntentSource.CONFIGURATION, "zhejiang", Island.When.ALWAYS));
        assertThat(policy.serviceIntent("com.foo.Mms")).isEqualTo(Intent.NONE);
    }

    @Test
    void readsWhichServicesNeedAnIsland() {
        Policy policy = parse(home(
                "islands.shanghai.tunnel=auto",
                "services.com.foo.Sms.require-island=true",
                "services.com.foo.File.require-island=false",
                "services.com.foo.Mms.require-island=false",
                "services.com.foo.Mms.island=shanghai"));

        assertThat(policy.requiresIsland("com.foo.Sms")).isTrue();
        assertThat(policy.serviceIntent("com.foo.Sms")).isEqualTo(Intent.NONE);
        assertThat(policy.requiresIsland("com.foo.File")).isFalse();
        assertThat(policy.requiresIsland("com.foo.Mms")).isFalse();
        assertThat(policy.serviceIntent("com.foo.Mms").asked()).isEqualTo("shanghai");
        assertThat(policy.requiresIsland("com.foo.Other")).isFalse();
    }

    @Test
    void readsSigningKeys() {
        SigningKeys signing = parse(home(
                        "sign.key-id=zhejiang-2026",
                        "sign.secret=mine",
                        "islands.bank.sign.key-id=zhejiang-bank",
                        "islands.bank.sign.secret=ours",
                        "sign.accept.shanghai-2026=theirs",
                        "sign.accept-from.shanghai-2026=shanghai/*, */bank",
                        "sign.accept.beijing-2026=file:/run/others",
                        "sign.max-nonces=7"))
                .signing();

        assertThat(signing.ownId()).isEqualTo("zhejiang-2026");
        assertThat(signing.own().secret().text()).isEqualTo("mine");
        assertThat(signing.ownTo()).containsOnlyKeys("bank");
        assertThat(signing.ownTo().get("bank").id()).isEqualTo("zhejiang-bank");
        assertThat(signing.ownTo().get("bank").secret().text()).isEqualTo("ours");
        assertThat(signing.accepted()).containsOnlyKeys("shanghai-2026", "beijing-2026");
        assertThat(signing.accepted().get("shanghai-2026").from()).hasToString("[shanghai/*, */bank]");
        assertThat(signing.accepted().get("beijing-2026").from()).isNull();
        assertThat(signing.accepted().get("beijing-2026").secret().file()).isEqualTo(Path.of("/run/others"));
        assertThat(signing.maxNonces()).isEqualTo(7);
        assertThat(signing.toString())
                .doesNotContain("mine", "ours", "theirs", "others")
                .contains("zhejiang-2026");
        assertThat(signing.warnings())
                .containsExactly("highway.sign.accept.beijing-2026: whoever has this secret can sign for any island;"
                        + " write highway.sign.accept-from.beijing-2026 with its callers, such as zhejiang/*");
    }

    @Test
    void warnsWhileSignaturesAreInShadowMode() {
        SigningKeys shadow = parse(home("sign.mode=shadow")).signing();

        assertThat(parse(home("sign.mode=enforce")).signing().warnings()).isEmpty();
        assertThat(shadow.warnings())
                .containsExactly("highway.sign.mode is shadow: calls without a valid signature are served, whatever"
                        + " highway.guard.mode is; write enforce once no caller is reported any more");
        assertThatThrownBy(() -> parse(home("sign.mode=off")))
                .hasMessageStartingWith("highway.sign.mode: the value is not allowed; allowed: enforce, shadow");
    }

    @ParameterizedTest
    @CsvSource({"key-id,secret", "secret,key-id"})
    void reportsAKeyOfAnIsland_thatIsNotComplete(String written, String missing) {
        assertThatThrownBy(() -> parse(home("islands.bank.sign." + written + "=one")))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessageStartingWith("highway.islands.bank.sign." + missing + ": missing")
                .hasMessageEndingWith("Write both, or neither to use highway.sign.key-id for this island");
    }

    @Test
    void acceptsSignaturesWithoutSigning() {
        SigningKeys signing = parse(home("sign.accept.shanghai-2026=theirs")).signing();

        assertThat(signing.ownId()).isNull();
        assertThat(signing.accepted()).containsOnlyKeys("shanghai-2026");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shanghai", "shanghai/", "/shop", "shang*h*i/*", "shanghai/a/b", "SHANGHAI/*", ","})
    void refusesCallersThatAreNoPattern(String callers) {
        assertThatThrownBy(() -> parse(home("sign.accept.k=theirs", "sign.accept-from.k=" + callers)))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessageContaining("highway.sign.accept-from.k")
                .hasMessageContaining(
                        callers.equals(",") ? "is empty. Write island/application" : "allowed: island/application");
    }

    /** A fragment of a secret is a secret, too. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sign.secret=abc${Q9}def",
                "sign.accept.zhejiang-2026=${Q9}",
                "sign.secret=file:/Q9\u0000",
                "sign.accept.zhejiang=Q9",
                "sign.accept.Zhejiang-2026=Q9"
            })
    void noErrorContainsASecret(String key) {
        assertThatThrownBy(() -> parse(home(key, "sign.accept-from.none=*/*")))
                .isInstanceOf(HighwayConfigurationException.class)
                .satisfies(e -> assertThat(stackTrace(e)).doesNotContain("Q9"));
    }

    private static String stackTrace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 100})
    void readsMaxHops(int hops) {
        assertThat(parse(home("max-hops=" + hops)).local().maxHops()).isEqualTo(hops);
    }

    @Test
    void refusesKeysWithoutAHome() {
        assertThatExceptionOfType(HighwayConfigurationException.class)
                .isThrownBy(() -> PolicyParser.parse(
                        RawSettings.of(keys("gateways.dubbo=gateway:20880"), "test"), "static", null))
                .withMessage("highway.island: missing, though other highway.* keys are set. Write the id of the island"
                        + " this process runs in, such as highway.island=zhejiang, or highway.enabled=false");
        assertThatExceptionOfType(HighwayConfigurationException.class)
                .isThrownBy(() -> PolicyParser.parse(RawSettings.of(keys("enabled=true"), "test"), "static", null))
                .satisfies(e -> assertThat(e.key()).isEqualTo("highway.island"));
    }

    /** The line that is wrong, the key that is blamed, then what the message must contain. */
    static Stream<Arguments> badValues() {
        String ids = "is not an island id; allowed are 1 to 63 lower-case letters, digits and inner hyphens";
        String addresses = "allowed: host:port, such as gateway.zhejiang.test:20880";
        String durations = "allowed: a duration from 1ms to 24 days, such as 500ms, 3s or 2m";
        String sizes = "allowed: a size from 1B to 1GB, such as 64B, 512KB or 4MB; a number without a unit is bytes";
        String patterns = "allowed: method or interface#method, with at most one star on each side of #";
        return Stream.of(
                bad("enabled=flase", "\"flase\"", "allowed: true, false", "Did you mean \"false\"?"),
                bad("enabled=", "\"\"", "allowed: true, false"),
                bad("island=", "missing", "Write the id of the island"),
                bad("island=Zhejiang", "\"Zhejiang\" " + ids, "Write the island's id"),
                bad("island=zhe\r\njiang", "\"zhe\\u000d\\u000ajiang\" " + ids),
                bad("island=浙江", "\"\\u6d59\\u6c5f\" " + ids),
                bad("gateways.dubbo=gateway", "\"gateway\"", addresses, "a colon and its port (1 to 65535)"),
                bad("gateways.dubbo=gateway:0", "\"gateway:0\"", addresses, "a colon and its port (1 to 65535)"),
                bad("gateways.dubbo=gateway:70000", "\"gateway:70000\"", addresses),
                bad("gateways.dubbo=a:1,b c:2", "\"b c:2\"", addresses),
                bad("gateways.dubbo=tri://gateway:50051", "\"tri://gateway:50051\"", addresses, "Write dubbo://"),
                bad("gateways.triple=dubbo://gateway:20880", "\"dubbo://gateway:20880\"", "Write triple://host:port"),
                bad("gateways.dubbo=", "\"\"", addresses, "Write at least one address or remove the key"),
                bad("gateways.triple= , ,", "\" , ,\"", addresses, "Write at least one address or remove the key"),
                bad("doctor=wran", "\"wran\"", "allowed: none, warn", "Did you mean \"warn\"?"),
                bad("unknown-islands=gateway", "there is no such key", "Remove it", "highway.islands.<id>.tunnel=auto"),
                bad("gateways.connections=4", "there is no such key", "Remove it: each gateway address has one"),
                bad("sign.version=v2", "there is no such key", "Remove it: signatures have one version"),
                bad("sign.accept-versions=v2", "there is no such key", "Remove it: signatures have one version"),
                bad(
                        "islands.shanghai.fallback=hangzhou & islands.shanghai.fallback-methods=*",
                        "\"hangzhou\" is not allowed",
                        "allowed: none, home, or another of"),
                bad("islands.shanghai.fallback=Hangzhou", "allowed: none, home, or another of [shanghai]"),
                bad(
                        "islands.shanghai.fallback=shanghai & islands.shanghai.fallback-methods=*",
                        "allowed: none, home, or another of"),
                bad(
                        "islands.shanghai.fallback-methods= & islands.shanghai.fallback=beijing & islands.beijing.tunnel=auto",
                        "missing, though highway.islands.shanghai.fallback is the island beijing",
                        "or * for all"),
                bad(
                        "islands.shanghai.fallback=beijing & islands.shanghai.fallback-methods=* & islands.beijing.served-by=home",
                        "\"beijing\" does not answer by itself"),
                bad("islands.shanghai.served-by=", "\"\" is not allowed", "Write hangzhou for all calls"),
                bad("islands.shanghai.served-by=hangzhou", "\"hangzhou\"", "allowed: home, or one of [shanghai]"),
                bad("islands.shanghai.served-by=home:0", "weights from 0 to 1000 that are not all 0"),
                bad("islands.shanghai.served-by=home:1001", "\"home:1001\""),
                bad("islands.shanghai.served-by=home,shanghai:5", "\"home\" is not allowed"),
                bad("islands.shanghai.served-by=home:1,home:2", "different islands"),
                bad("islands.shanghai.served-by=a:1,b:1,c:1,d:1,e:1,f:1,g:1,h:1,i:1", "each of up to 8"),
                bad(
                        "islands.shanghai.served-by=beijing & islands.beijing.served-by=home",
                        "\"beijing\" does not answer by itself",
                        "remove highway.islands.beijing.served-by"),
                bad("defaults.served-by=home", "there is no such key"),
                bad("guard.stands-in-for.zhejiang=*", "this is zhejiang", "no island stands in for itself"),
                bad("guard.stands-in-for.Shanghai=*", "\"Shanghai\" is no island", "guard.stands-in-for.<island>"),
                bad("guard.stands-in-for.shanghai=", "empty", "Write method patterns", "or * for all"),
                bad("guard.stands-in-for.shanghai=get**", "\"get**\"", "at most one star"),
                bad("max-hops=0", "\"0\"", "allowed: a whole number from 1 to 100", "Write a value in that range"),
                bad("max-hops=101", "\"101\"", "allowed: a whole number from 1 to 100"),
                bad("max-hops=three", "\"three\"", "allowed: a whole number from 1 to 100"),
                bad(
                        "islands.shanghai.tunnel=tripel",
                        "\"tripel\"",
                        "auto, dubbo, http, triple",
                        "Did you mean \"triple\"?"),
                bad(
                        "islands.shanghai.tunnel=DUBBO",
                        "\"DUBBO\"",
                        "auto, dubbo, http, triple",
                        "Did you mean \"dubbo\"?"),
                bad(
                        "islands.shanghai.tunnel=ftp",
                        "\"ftp\"",
                        "allowed: auto, dubbo, http, triple, or a list in the order of preference"),
                bad("islands.shanghai.tunnel=", "\"\"", "allowed: auto, dubbo, http, triple"),
                bad("islands.shanghai.tunnel=triple,duboo", "\"triple,duboo\"", "such as triple,dubbo"),
                bad("islands.shanghai.tunnel=dubbo,dubbo", "\"dubbo,dubbo\" is not allowed"),
                bad("islands.shanghai.tunnel=auto,dubbo", "\"auto,dubbo\" is not allowed"),
                bad("islands.shanghai.tunnel=,", "\",\" is not allowed"),
                bad("islands.shanghai.gateways.dubbo=own", "\"own\"", addresses),
                bad("islands.shanghai.gateways.triple=http://own:1", "\"http://own:1\"", "Write triple://host:port"),
                bad(
                        "islands.shanghai.fallback=hom",
                        "\"hom\"",
                        "allowed: none, home, or another of [shanghai]",
                        "Did you mean \"home\"?"),
                bad("islands.shanghai.timeout=0", "\"0\"", durations, "Write a value in that range"),
                bad("islands.shanghai.timeout=-1", "\"-1\"", durations),
                bad("islands.shanghai.timeout=1.5s", "\"1.5s\"", durations),
                bad("islands.shanghai.timeout=3 days", "\"3 days\"", durations),
                bad("islands.shanghai.timeout=600h", "\"600h\"", durations),
                bad("islands.shanghai.timeout=", "\"\"", durations),
                bad("islands.shanghai.retries=-1", "\"-1\"", "allowed: a whole number from 0 to 10"),
                bad("islands.shanghai.retries=11", "\"11\"", "allowed: a whole number from 0 to 10"),
                bad("islands.shanghai.retries=2s", "\"2s\"", "allowed: a whole number from 0 to 10"),
                bad("islands.shanghai.max-request-size=0", "\"0\"", sizes),
                bad("islands.shanghai.max-request-size=4 megabytes", "\"4 megabytes\"", sizes),
                bad("islands.shanghai.max-request-size=4M", "\"4M\"", sizes),
                bad("islands.shanghai.max-request-size=1.5MB", "\"1.5MB\"", sizes),
                bad("islands.shanghai.max-request-size=-1B", "\"-1B\"", sizes),
                bad("islands.shanghai.max-request-size=3GB", "\"3GB\"", sizes),
                bad("islands.shanghai.max-request-size=1TB", "\"1TB\"", sizes),
                bad("islands.shanghai.serialization=hessian", "\"hessian\"", "hessian2, fastjson2", "\"hessian2\"?"),
                bad("islands.shanghai.serialization=java", "\"java\"", "allowed: hessian2, fastjson2"),
                bad("islands.shanghai.compression=zip", "\"zip\"", "none, gzip, zstd, auto", "\"gzip\"?"),
                bad("islands.shanghai.idempotent=get*,*que*", "\"*que*\"", patterns, "Write query*, com.foo.Sms#get*"),
                bad("islands.shanghai.idempotent=#get", "\"#get\"", patterns),
                bad("islands.shanghai.deny=com.foo.Sms#", "\"com.foo.Sms#\"", patterns),
                bad("islands.shanghai.deny=com.foo.Sms#get#all", "\"com.foo.Sms#get#all\"", patterns),
                bad(
                        "islands.shanghai.deny=com.foo.Sms.get",
                        "\"com.foo.Sms.get\"",
                        patterns,
                        "Did you mean \"com.foo.Sms#get\"?"),
                bad(
                        "islands.shanghai.deny=com.foo.Sms",
                        "\"com.foo.Sms\"",
                        patterns,
                        "Did you mean \"com.foo.Sms#*\"?"),
                bad("islands.shanghai.deny=get()", "\"get()\"", patterns, "Did you mean \"get\"?"),
                bad(
                        "defaults.idempotent=com.foo.Sms#get(String)",
                        "\"com.foo.Sms#get(String)\"",
                        patterns,
                        "Did you mean \"com.foo.Sms#get\"?"),
                bad(
                        "defaults.deny=com.foo.Sms.get*()",
                        "\"com.foo.Sms.get*()\"",
                        patterns,
                        "Did you mean \"com.foo.Sms#get*\"?"),
                bad("islands.shanghai.deny=com..Sms#get", "\"com..Sms#get\"", patterns),
                bad("islands.shanghai.deny=.Sms#get", "\".Sms#get\"", patterns),
                bad("islands.shanghai.deny=Sms.#get", "\"Sms.#get\"", patterns),
                bad("islands.shanghai.deny=blue/com.foo.Sms#get", "\"blue/com.foo.Sms#get\"", patterns),
                bad("islands.shanghai.deny=com.foo.Sms:1.0#get", "\"com.foo.Sms:1.0#get\"", patterns),
                bad("islands.shanghai.deny=get all", "\"get all\"", patterns),
                bad("islands.shanghai.deny=com.foo.Sms#get.all", "\"com.foo.Sms#get.all\"", patterns),
                bad("defaults.sign.secret=one", "highway.defaults.sign.secret: there is no such key"),
                bad("services.blue/com.foo.Sms.island=shanghai", "\"blue/com.foo.Sms\" is not an interface"),
                bad("services.com.foo.Sms:2.0.0.island=shanghai", "is not an interface", "every group and version"),
                bad("services.com.foo.*.island=shanghai", "\"com.foo.*\" is not an interface"),
                bad(
                        "islands.shanghai.services.*.foo.*.gateways.dubbo=own:1",
                        "\"*.foo.*\" is not allowed; allowed: an interface, with at most one star",
                        "services.com.foo.billing.*.gateways.dubbo"),
                bad("islands.shanghai.services.gateways.dubbo=own:1", "\"\" is not allowed; allowed: an interface"),
                bad("islands.shanghai.services.com.foo.*.gateways.dubbo=own", "\"own\" is not allowed", "host:port"),
                bad("islands.shanghai.services.com.foo.*.gateways.dubbo=", "allowed: host:port"),
                bad("services.com.foo.Sms#get.when=always", "\"com.foo.Sms#get\" is not an interface"),
                bad("services.com..Sms.island=shanghai", "\"com..Sms\" is not an interface"),
                bad("islands.shanghai.keys=31**", "\"31**\"", "text with at most one star", "such as 310000,31*"),
                bad("islands.Shanghai.tunnel=auto", "\"Shanghai\" " + ids, "Write highway.islands.<id>.<key>"),
                bad("islands..tunnel=auto", "\"\" " + ids, "Write highway.islands.<id>.<key>"),
                bad("defaults.tunnel=tripel", "\"tripel\"", "Did you mean \"triple\"?"),
                bad("defaults.tunnel=tri", "\"tri\"", "Did you mean \"triple\"?"),
                bad("defaults.timeout=soon", "\"soon\"", durations),
                bad("defaults.retries=many", "\"many\"", "allowed: a whole number from 0 to 10"),
                bad("services.com.foo.Sms.island=Shanghai", "\"Shanghai\" " + ids, "Write an island's id"),
                bad("services.com.foo.Sms.require-island=yes", "\"yes\"", "allowed: true, false"),
                bad(
                        "services.com.foo.Sms.island=shangai",
                        "\"shangai\" is not allowed; allowed: the configured islands [shanghai]",
                        "Did you mean \"shanghai\"? Write highway.islands.shangai.tunnel=auto or correct the id"));
    }

    /** Keys that are not there; the hint names the nearest one that is. */
    static Stream<Arguments> unknownKeys() {
        return Stream.of(
                bad("iland=zhejiang", "there is no such key. Did you mean \"island\"?"),
                bad("max-hop=3", "Did you mean \"max-hops\"?"),
                bad("gateways.duboo=gateway:20880", "Did you mean \"gateways.dubbo\"?"),
                bad("gateway.dubbo=gateway:20880", "Did you mean \"gateways.dubbo\"?"),
                bad(
                        "gateway=gateway:20880",
                        "Did you mean \"gateways.dubbo\" or \"gateways.triple\" or \"gateways.http\"?"),
                bad(
                        "gatway=gateway:20880",
                        "Did you mean \"gateways.dubbo\" or \"gateways.triple\" or \"gateways.http\"?"),
                bad("gateways.tri=gateway:50051", "Did you mean \"gateways.triple\"?"),
                bad("gateway.tri=gateway:50051", "Did you mean \"gateways\"?"),
                bad(
                        "islands.shanghai.gateway=own:20880",
                        "\"gateways.dubbo\" or \"gateways.triple\" or \"gateways.http\"?"),
                bad(
                        "islands.shanghai.gateways=own:20880",
                        "\"gateways.dubbo\" or \"gateways.triple\" or \"gateways.http\"?"),
                bad("islands.shanghai.gateways.tri=own:50051", "Did you mean \"gateways.triple\"?"),
                bad("services.com.foo.Sms.gateway=own:20880", "there is no such key. Known here: island, when"),
                bad(
                        "policy.fixed=idempotnt",
                        "highway.policy.fixed: \"idempotnt\" is not allowed",
                        "Did you mean",
                        "idempotent"),
                bad("policy.fixed=sign.nothing", "groups of a rule"),
                bad("dictionaries=file:/x", "it is a group of keys", "highway.dictionaries.<name>=file:<path>"),
                bad("sign.keyid=zhejiang", "Did you mean \"sign.key-id\"?"),
                bad("sign.accept.=theirs", "there is no such key"),
                bad("islands=shanghai,beijing", "it is a group of keys", "highway.islands.<id>.tunnel=auto"),
                bad(
                        "gateways=gateway:20880",
                        "it is a group of keys",
                        "highway.gateways.dubbo, highway.gateways.triple or highway.gateways.http"),
                bad("services=beijing", "it is a group of keys", "highway.services.<interface>.island"),
                bad("sign=salt", "it is a group of keys", "highway.sign.key-id and highway.sign.secret"),
                bad("defaults=3s", "it is a group of keys", "highway.defaults.<key>"),
                bad("gateways.triple=${triple.gateway}", "nothing resolves the placeholder ${triple.gateway}"),
                bad("anything=else", "there is no such key. Known here: enabled, island, gateways.*, max-buffered,"),
                bad("defaults.timeuot=3s", "Did you mean \"timeout\"?"),
                bad("defaults.keys=31*", "there is no such key", "Known here: tunnel, gateways.*, fallback,"),
                bad("islands.shanghai.tunel=auto", "Did you mean \"tunnel\"?"),
                bad("islands.shanghai.max-request-siz=1", "Did you mean \"max-request-size\"?"),
                bad("islands.shanghai.services.com.foo.*.gateways.duboo=own:1", "Did you mean \"gateways.dubbo\"?"),
                bad("islands.shanghai.services.com.foo.*.island=beijing", "there is no such key. Known here: gateways"),
                bad(
                        "islands.shanghai.services.com.foo.*.gateways=own:1",
                        "there is no such key",
                        "\"gateways.dubbo\" or \"gateways.triple\" or \"gateways.http\"?"),
                bad("islands.shanghai.services=own:1", "there is no such key"),
                bad("defaults.services.com.foo.*.gateways.dubbo=own:1", "there is no such key"),
                bad("islands.shanghai=auto", "there is no such key. Known here: tunnel,"),
                bad("islands.shanghai.=auto", "there is no such key. Known here: tunnel,"),
                bad("islands.shang.hai.tunnel=auto", "there is no such key. Known here: tunnel,"),
                bad("services.com.foo.Sms.iland=shanghai", "Did you mean \"island\"?"),
                bad("services.com.foo.Sms.requires-island=true", "Did you mean \"require-island\"?"),
                bad(
                        "services.island=shanghai",
                        "the interface is missing",
                        "Write highway.services.<interface>.island"));
    }

    private static Arguments bad(String line, String... contained) {
        return Arguments.of(line, List.of(contained));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"badValues", "unknownKeys"})
    void reportsErrors_withKeyValueWhatIsAllowedAndWhatToDo(String line, List<String> contained) {
        Map<String, String> entries = home("islands.shanghai.fallback=none");
        entries.putAll(keys(line.split(" & ")));
        String key = "highway." + line.substring(0, line.indexOf('='));

        assertThatExceptionOfType(HighwayConfigurationException.class)
                .isThrownBy(() -> PolicyParser.parse(RawSettings.of(entries, "test"), "static", null))
                .satisfies(e -> {
                    assertThat(e.key()).isEqualTo(key);
                    assertThat(e.problem()).isNotBlank();
                    assertThat(e.action()).isNotBlank().hasSizeLessThan(ONE_LINE);
                    assertThat(e.action()).doesNotContainPattern("Did you mean.*Known here");
                    assertThat(e.getMessage())
                            .startsWith(key + ": " + e.problem())
                            .endsWith(e.action())
                            .contains(contained);
                    assertThat(e.getMessage()).matches("[ -~]+");
                });
    }

    static Stream<Arguments> contradictions() {
        return Stream.of(
                Arguments.of(
                        lines("gateways.triple=gateway:50051", "islands.shanghai.tunnel=dubbo"),
                        "highway.islands.shanghai.tunnel: \"dubbo\" contradicts the gateways: none is configured for"
                                + " dubbo. Write highway.gateways.dubbo or another tunnel"),
                Arguments.of(
                        lines("gateways.dubbo=gateway:20880", "islands.shanghai.tunnel=triple"),
                        "highway.islands.shanghai.tunnel: \"triple\" contradicts the gateways: none is configured for"
                                + " triple. Write highway.gateways.triple or another tunnel"),
                Arguments.of(
                        lines("gateways.dubbo=gateway:20880", "defaults.tunnel=triple", "islands.shanghai.keys=31*"),
                        "highway.defaults.tunnel: \"triple\" contradicts the gateways: none is configured for triple."
                                + " Write highway.gateways.triple or another tunnel"),
                Arguments.of(
                        lines("islands.shanghai.tunnel=dubbo", "islands.shanghai.compression=gzip"),
                        "highway.islands.shanghai.compression: \"gzip\" contradicts the tunnel: dubbo has no"
                                + " compression. Write the tunnel triple, http or auto, or the compression none"),
                Arguments.of(
                        lines("islands.beijing.retries=1", "islands.shanghai.keys=310000,beijing"),
                        "highway.islands.shanghai.keys: \"beijing\" is the id of another island, and a key that is an id"
                                + " means that island. Remove it, or write a business key of shanghai"),
                Arguments.of(
                        lines("islands.shanghai.keys=zhejiang"),
                        "highway.islands.shanghai.keys: \"zhejiang\" is the id of another island, and a key that is an id"
                                + " means that island. Remove it, or write a business key of shanghai"),
                Arguments.of(
                        lines("islands.beijing.keys=110000,31*", "islands.shanghai.keys=31*"),
                        "highway.islands.shanghai.keys: \"31*\" already means beijing. Let each key mean one island"),
                Arguments.of(
                        lines("sign.key-id=zhejiang-2026"),
                        "highway.sign.secret: missing, though the other of sign.key-id and sign.secret is set. Write"
                                + " both, or neither to switch signing off"),
                Arguments.of(
                        lines("http.receive=true"),
                        "highway.http.receive: there is no such key. Write highway.http.port=<port>: calls over"
                                + " HTTP/1.1 have a separate port"),
                Arguments.of(
                        lines("policy.on-delete=static"),
                        "highway.policy.on-delete: there is no such key. Remove it: a deleted rule stays active;"
                                + " publish use-static: true to return to the static configuration"),
                Arguments.of(
                        lines("sign.secret=mine"),
                        "highway.sign.key-id: missing, though the other of sign.key-id and sign.secret is set. Write"
                                + " both, or neither to switch signing off"),
                Arguments.of(
                        lines("services.com.foo.Sms.when=home-absent"),
                        "highway.services.com.foo.Sms.island: missing, though highway.services.com.foo.Sms.when is set."
                                + " Write the island's id or remove both"),
                Arguments.of(
                        lines(
                                "islands.shanghai.fallback=none",
                                "services.com.foo.Sms.island=shanghai",
                                "services.com.foo.Sms.require-island=true"),
                        "highway.services.com.foo.Sms.require-island: \"true\" contradicts"
                                + " highway.services.com.foo.Sms.island, which names an island for every call. Remove one of"
                                + " them"),
                Arguments.of(
                        lines(
                                "islands.shanghai.fallback=none",
                                "services.com.foo.Sms.island=shanghai",
                                "services.com.foo.Sms.when=home-absnt"),
                        "highway.services.com.foo.Sms.when: \"home-absnt\" is not allowed; allowed: always,"
                                + " home-absent. Did you mean \"home-absent\"? Write one of them"));
    }

    private static List<String> lines(String... lines) {
        return Arrays.asList(lines);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("contradictions")
    void refusesKeysThatContradictEachOther(List<String> lines, String message) {
        Map<String, String> entries =
                keys(Stream.concat(Stream.of("island=zhejiang"), lines.stream()).toArray(String[]::new));

        assertThatExceptionOfType(HighwayConfigurationException.class)
                .isThrownBy(() -> PolicyParser.parse(RawSettings.of(entries, "test"), "static", null))
                .withMessage(message);
    }

    /** As when the id of a key and its secret are exchanged, or a secret is written at another key. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sign.key-id=S3cr3t! sign.secret=zhejiang-2026",
                "islands.shanghai.sign.key-id=S3cr3t! islands.shanghai.sign.secret=zhejiang-2026",
                "sign.accept.S3cr3t!=shanghai-2026",
                "sign.accept.shanghai=salt sign.accept-from.S3cr3t!=shanghai/*",
                "sign.accept.shanghai=salt sign.accept-from.shanghai=S3cr3t!",
                "sign.max-nonces=S3cr3t!",
                "sign.key-id=${S3cr3t!}",
                "sign=S3cr3t!",
                "sign.keyid=S3cr3t!",
                "islands.shanghai.sign=S3cr3t!",
            })
    void neverQuotesAValueOfASignature(String lines) {
        Map<String, String> entries = keys(Stream.concat(Stream.of("island=zhejiang"), Stream.of(lines.split(" ")))
                .toArray(String[]::new));

        assertThatExceptionOfType(HighwayConfigurationException.class)
                .isThrownBy(() -> PolicyParser.parse(RawSettings.of(entries, "test"), "static", null))
                .satisfies(e -> assertThat(e.toString() + e.key() + e.problem() + e.action())
                        .contains("sign")
                        .doesNotContain("S3cr3t"));
    }

    @Test
    void letsAnIslandHaveAGatewayThatHomeLacks() {
        Policy policy = parse(keys(
                "island=zhejiang",
                "gateways.dubbo=gateway:20880",
                "islands.shanghai.tunnel=triple",
                "islands.shanghai.gateways.triple=own:50051"));

        assertThat(policy.forIsland("shanghai").allows(TunnelKind.TRIPLE)).isTrue();
    }

    @Test
    void namesTheDefaults_whenTheValueIsThere() {
        assertThatExceptionOfType(HighwayConfigurationException.class)
                .isThrownBy(() -> parse(home("defaults.timeout=soon", "islands.shanghai.timeout=3s")))
                .satisfies(e -> assertThat(e.key()).isEqualTo("highway.defaults.timeout"));
    }

    @Test
    void refusesABadKeyId_andDoesNotShowTheSecret() {
        assertThatExceptionOfType(HighwayConfigurationException.class)
                .isThrownBy(() -> parse(home("sign.key-id=Zhejiang 2026", "sign.secret=s3cr3t")))
                .withMessage("highway.sign.key-id: the value is not allowed; allowed: a key id of 1 to 63"
                        + " lower-case letters, digits and hyphens. Rename the key, such as zhejiang-2026");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Shanghai", "a.b", "a;kid", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})
    void refusesABadKeyId_ofAnAcceptedKey(String id) {
        assertThatExceptionOfType(HighwayConfigurationException.class)
                .isThrownBy(() -> parse(home("sign.accept." + id + "=theirs")))
                .withMessage("highway.sign.accept.<key-id>: the value is not allowed; allowed: a key id of 1 to 63"
                        + " lower-case letters, digits and hyphens. Rename the key, such as zhejiang-2026");
    }

    @Test
    void doesNotDependOnTheOrderOfKeys() {
        List<Map.Entry<String, String>> forwards = home(
                        "services.com.foo.Sms.when=home-absent",
                        "services.com.foo.Sms.island=shanghai",
                        "islands.shanghai.timeout=3s",
                        "defaults.timeout=2s")
                .entrySet()
                .stream()
                .toList();
        Map<String, String> backwards = new LinkedHashMap<>();
        for (int i = forwards.size() - 1; i >= 0; i--) {
            backwards.put(forwards.get(i).getKey(), forwards.get(i).getValue());
        }

        Policy one = parse(forwards.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
        Policy other = parse(backwards);

        assertThat(one.forIsland("shanghai")).isEqualTo(other.forIsland("shanghai"));
        assertThat(one.serviceIntent("com.foo.Sms")).isEqualTo(other.serviceIntent("com.foo.Sms"));
        assertThat(one.summary()).isEqualTo(other.summary());
    }
}
