// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import static io.highway.sdk.dubbo.internal.policy.Key.Place.is;

import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.policy.GuardPolicy.Requirement;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy.Compression;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy.Concurrency;
import io.highway.sdk.dubbo.internal.policy.Key.Place;
import io.highway.sdk.dubbo.internal.policy.Key.Reader;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The table of all {@code highway.*} keys. The parser, the spellings of environment variables, the report, the keys that
 * a rule may set, and the tests of Spring's metadata and of the documentation follow it.
 */
public final class HighwayKeys {

    /** The prefix of every key. */
    public static final String PREFIX = Key.PREFIX;

    /** Precedes the id of an island. */
    public static final String ISLANDS = "islands.";

    /** Precedes the name of a dictionary. */
    public static final String DICTIONARIES = "dictionaries.";

    /** Precedes a key of all islands. */
    static final String DEFAULTS = "defaults.";

    /** Precedes an interface; below an island, the pattern of services with separate gateways. */
    static final String SERVICES = "services.";

    /** Precedes the name of a rule of the guard. */
    static final String RULES = "guard.rules.";

    /** Precedes the pattern of a caller. */
    static final String CALLERS = "guard.callers.";

    /** Precedes the island for whose calls this one consents to stand in. */
    static final String STANDS_IN_FOR = "guard.stands-in-for.";

    private static final Map<String, Key<?>> GENERAL = new LinkedHashMap<>();
    private static final Map<String, Key<?>> OF_ISLAND = new LinkedHashMap<>();

    private static final Reader<String> TEXT = (key, value) -> value;
    private static final Reader<List<String>> LIST = (key, value) -> ValueParser.list(value);

    static final Key<Boolean> ENABLED = general("enabled", ValueParser.FLAG, is("true"));
    static final Key<String> ISLAND = general("island", TEXT, is("required"));
    static final Key<List<TunnelKind>> TUNNEL = ofIsland("tunnel", ValueParser::tunnels, is("auto"));
    private static final Map<TunnelKind, Key<String>> GATEWAYS = new EnumMap<>(TunnelKind.class);

    static {
        for (TunnelKind kind : TunnelKind.values()) {
            GATEWAYS.put(
                    kind, key("gateways." + kind, TEXT, is("none"), is("none").dynamic()));
        }
    }

    static final Key<Integer> CONNECT_TIMEOUT = key(
            "gateways.connect-timeout",
            ValueParser.MILLIS,
            is("3s"),
            is("that of highway.gateways.connect-timeout").dynamic());
    static final Key<ForwardProxy> PROXY = key("gateways.proxy", ForwardProxy::parse, is("none"), is("none"));
    static final Key<Integer> HTTP_CONNECTIONS =
            general("gateways.http-max-connections", ValueParser.number(1, 1024), is("64"));
    static final Key<Long> MAX_BUFFERED = general("max-buffered", ValueParser.MANY_BYTES, is("an eighth of the heap"));
    static final Key<Integer> HTTP_PORT = general("http.port", ValueParser.number(1, 65_535), is("none"));
    static final Key<Long> MAX_BYTES_IN_FLIGHT = general(
            "gateways.max-bytes-in-flight",
            ValueParser.MANY_BYTES,
            is("a quarter of the JVM's direct memory, at least 64MB"));
    static final Key<String> TLS_ENABLED = tls(
            "enabled",
            ValueParser.oneOf("true", "false", "dubbo", "triple", "http"),
            is("true if another of these keys is set"));
    static final Key<String> TRUST_CERTIFICATES = tls("trust-certificates", TEXT, is("what the Java runtime trusts"));
    static final Key<String> TRUST_PASSWORD = tls("trust-password", TEXT, is("none"));
    static final Key<String> CERTIFICATE = tls("certificate", TEXT, is("none"));
    static final Key<String> PRIVATE_KEY = tls("private-key", TEXT, is("in the file of the certificate"));
    static final Key<String> KEY_PASSWORD = tls("key-password", TEXT, is("none"));
    static final Key<Boolean> VERIFY_HOST = tls("verify-host", ValueParser.FLAG, is("true"));
    static final Key<Integer> HEARTBEAT_INTERVAL = general("heartbeat.interval", ValueParser.MILLIS_OR_NONE, is("10s"));
    static final Key<Integer> HEARTBEAT_SLOW = general("heartbeat.slow", ValueParser.MILLIS, is("1s"));
    static final Key<String> HEARTBEAT_SERVICE =
            general("heartbeat.service", ValueParser::service, is("one that this process uses there"));
    static final Key<String> FALLBACK = ofIsland("fallback", TEXT, is("none"));
    static final Key<MethodPatterns> FALLBACK_METHODS = ofIsland(
            "fallback-methods", ValueParser::patterns, is("all with the fallback home, required with an island"));
    static final Key<TrafficSplit> SERVED_BY = key(
            "served-by",
            TrafficSplit::read,
            null,
            is("the island itself").dynamic().ofOneIsland());
    static final Key<Integer> TIMEOUT = ofIsland("timeout", ValueParser.MILLIS, is("the reference's, else 3s"));
    static final Key<Integer> RETRIES = ofIsland("retries", ValueParser.number(0, 10), is("0"));
    static final Key<MethodPatterns> IDEMPOTENT = ofIsland("idempotent", ValueParser::patterns, is("none"));
    static final Key<Integer> MAX_REQUEST_SIZE = ofIsland("max-request-size", ValueParser.BYTES, is("4MB"));
    static final Key<String> SERIALIZATION =
            ofIsland("serialization", ValueParser.oneOf("hessian2", "fastjson2"), is("hessian2"));
    static final Key<Compression> COMPRESSION =
            ofIsland("compression", ValueParser.oneOf(Compression.values()), is("none"));
    static final Key<String> DICTIONARY =
            key("dictionary", TEXT, null, is("none").dynamic().ofOneIsland());
    static final Key<Concurrency> MAX_CONCURRENT =
            ofIsland("max-concurrent", ValueParser::concurrency, is("unlimited"));
    static final Key<Integer> MAX_WAIT = ofIsland("max-wait", ValueParser.MILLIS_OR_ZERO, is("0"));
    static final Key<MethodPatterns> BULK_METHODS = ofIsland("bulk.methods", ValueParser::patterns, is("none"));
    static final Key<Integer> BULK_OVER = ofIsland("bulk.over", ValueParser.BYTES_OR_NONE, is("none"));
    static final Key<Concurrency> BULK_MAX_CONCURRENT =
            ofIsland("bulk.max-concurrent", ValueParser::bulkConcurrency, is("2"));
    static final Key<Integer> BULK_MAX_WAIT = ofIsland("bulk.max-wait", ValueParser.MILLIS_OR_ZERO, is("10s"));
    static final Key<Integer> BREAKER_FAILURE_RATE =
            ofIsland("breaker.failure-rate", ValueParser.PERCENT_OR_NONE, is("50"));
    static final Key<Integer> BREAKER_SLOW_CALL = ofIsland("breaker.slow-call", ValueParser.MILLIS_OR_NONE, is("none"));
    static final Key<MethodPatterns> DENY = ofIsland("deny", ValueParser::patterns, is("none"));
    static final Key<String> SIGN_KEY_ID = key(
            "sign.key-id", TEXT, is("off"), is("that of highway.sign.key-id").ofOneIsland());
    static final Key<String> SIGN_SECRET = key(
            "sign.secret", TEXT, is("off"), is("that of highway.sign.secret").ofOneIsland());
    static final Key<Boolean> SIGN_SHADOW = general("sign.mode", ValueParser.IS_SHADOW, is("enforce"));
    static final Key<Integer> SIGN_MAX_NONCES =
            general("sign.max-nonces", ValueParser.number(1, 100_000_000), is("1000000"));
    static final Key<Set<String>> KEYS = key(
            "keys",
            ValueParser::businessKeys,
            null,
            is("the id itself").dynamic().ofOneIsland());
    static final Key<Integer> MAX_HOPS = general("max-hops", ValueParser.number(1, 100), is("3"));
    static final Key<Boolean> DOCTOR = general("doctor", ValueParser.IS_WARN, is("none"));
    static final Key<Boolean> AUDIT_ENABLED = general("audit.enabled", ValueParser.FLAG, is("false"));
    static final Key<Boolean> AUDIT_START = general("audit.start", ValueParser.FLAG, is("false"));
    static final Key<String> AUDIT_OVERFLOW =
            general("audit.overflow", ValueParser.oneOf("count", "refuse"), is("count"));
    static final Key<List<String>> GUARD_GATEWAYS = general(
            "guard.gateways",
            ValueParser.items("Write addresses, ranges and host names of gateways, or remove the key"),
            is("none"));
    static final Key<List<String>> GUARD_HOME = general(
            "guard.home",
            ValueParser.items("Write addresses and ranges, or remove the key"),
            is("all but guard.gateways"));
    static final Key<Requirement> GUARD_REQUIRE = general(
            "guard.require", ValueParser.oneOf(Requirement.values()), is("nothing; headers if guard.home is set"));
    static final Key<Boolean> GUARD_SHADOW = general("guard.mode", ValueParser.IS_SHADOW, is("enforce"));
    static final Key<String> GUARD_UNKNOWN_CALLERS =
            general("guard.unknown-callers", ValueParser.oneOf("serve", "refuse"), is("serve"));
    static final Key<String> POLICY_SOURCE =
            general("policy.source", TEXT, is("config-center if the application has one, else none"));
    static final Key<Path> POLICY_DIRECTORY = general(
            "policy.directory",
            (key, value) -> ValueParser.path(key, value, value, "directory"),
            is("~/.dubbo/highway"));
    static final Key<List<String>> POLICY_FIXED = general("policy.fixed", LIST, is("none"));

    private static final Map<String, String> GENERAL_BUILT_IN = builtIn(GENERAL, Key::general);

    private static final Map<String, String> ISLAND_BUILT_IN = builtIn(OF_ISLAND, Key::ofIsland);

    /** The keys below {@code defaults}. */
    static final List<String> PER_ISLAND = OF_ISLAND.values().stream()
            .filter(key -> !place(key, Key::ofIsland).isOfOneIsland())
            .map(Key::name)
            .toList();

    /** What can be set for some services of an island. */
    static final List<String> OF_SERVICES =
            GATEWAYS.values().stream().map(Key::name).toList();

    static final List<String> PER_SERVICE = List.of("island", "when", "require-island");

    /** The keys of a rule of the guard. */
    static final List<String> PER_RULE = List.of("action", "from", "to", "rate");

    /** The first parts of longer keys, in alphabetical order. */
    public static final List<String> GROUPS = Stream.concat(
                    GENERAL.keySet().stream(), Stream.of(DEFAULTS, DICTIONARIES, ISLANDS, SERVICES))
            .filter(key -> key.indexOf('.') > 0)
            .map(key -> key.substring(0, key.indexOf('.')))
            .distinct()
            .sorted()
            .toList();

    /** The keys, and the groups of keys, that a rule of the dynamic policy may name. */
    public static final List<String> RULE_GROUPS = Stream.concat(
                    OF_SERVICES.stream(),
                    Stream.of(
                            "heartbeat",
                            "guard.mode",
                            "islands",
                            "services",
                            "defaults",
                            "guard.rules",
                            "guard.callers"))
            .toList();

    private HighwayKeys() {}

    private static <T> Key<T> general(String name, Reader<T> reader, Place general) {
        return key(name, reader, general, null);
    }

    /** For one island or all, statically or by a rule. */
    private static <T> Key<T> ofIsland(String name, Reader<T> reader, Place ofIsland) {
        return key(name, reader, null, ofIsland.dynamic());
    }

    /** Siblings of {@code gateways.dubbo}, since in YAML a key with a value cannot have keys below it. */
    private static <T> Key<T> tls(String name, Reader<T> reader, Place place) {
        return key("gateways.tls." + name, reader, place, place);
    }

    private static <T> Key<T> key(String name, Reader<T> reader, @Nullable Place general, @Nullable Place ofIsland) {
        Key<T> key = new Key<>(name, reader, general, ofIsland);
        if (general != null) {
            GENERAL.put(name, key);
        }
        if (ofIsland != null) {
            OF_ISLAND.put(name, key);
        }
        return key;
    }

    private static Map<String, String> builtIn(Map<String, Key<?>> keys, Function<Key<?>, @Nullable Place> place) {
        Map<String, String> inOrder = new LinkedHashMap<>();
        keys.forEach((name, key) -> inOrder.put(name, place(key, place).builtIn()));
        return Collections.unmodifiableMap(inOrder);
    }

    private static Place place(Key<?> key, Function<Key<?>, @Nullable Place> place) {
        return Objects.requireNonNull(place.apply(key));
    }

    /** The addresses of gateways of a protocol. */
    static Key<String> gateways(TunnelKind kind) {
        return Objects.requireNonNull(GATEWAYS.get(kind));
    }

    /** Every general key in a fixed order, with its default as text. */
    public static Map<String, String> general() {
        return GENERAL_BUILT_IN;
    }

    /** Every key of an island in a fixed order, with its default as text. */
    public static Map<String, String> ofIsland() {
        return ISLAND_BUILT_IN;
    }

    /** The key that a full key is, for all islands or one; null if a part of it is a name, such as that of a rule. */
    static @Nullable Key<?> of(String fullKey) {
        String key = fullKey.substring(PREFIX.length());
        String island = islandOf(key);
        String scope = island != null ? ISLANDS + island + "." : DEFAULTS;
        return key.startsWith(scope) ? OF_ISLAND.get(key.substring(scope.length())) : GENERAL.get(key);
    }

    /** Whether it is a key, or a group of keys, of an island or of {@code defaults} that no rule may set. */
    public static boolean isStaticOfIsland(String part) {
        List<Key<?>> members = OF_ISLAND.values().stream()
                .filter(key -> (key.name() + ".").startsWith(part + "."))
                .toList();
        return !members.isEmpty()
                && members.stream().noneMatch(key -> place(key, Key::ofIsland).isDynamic());
    }

    /**
     * Whether the value of a key is a secret, or may be one by mistake, and is never shown.
     *
     * @param key with or without {@code highway.}, or below an island
     */
    public static boolean isSecret(String key) {
        return key.endsWith("-password") || key.endsWith(PROXY.name()) || ("." + key).contains(".sign.");
    }

    /** A value as it may be shown; the key is as for {@link #isSecret}. */
    public static String shown(String key, String value) {
        if (key.endsWith(PROXY.name())) {
            return ForwardProxy.shown(value);
        }
        return isSecret(key) ? SecretSource.HIDDEN : value;
    }

    /** The island whose key it is, or null; the key has no prefix. */
    public static @Nullable String islandOf(String key) {
        if (!key.startsWith(ISLANDS)) {
            return null;
        }
        int dot = key.indexOf('.', ISLANDS.length());
        return key.substring(ISLANDS.length(), dot < 0 ? key.length() : dot);
    }
}
