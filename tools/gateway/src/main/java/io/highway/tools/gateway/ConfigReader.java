// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads the YAML form of a {@link GatewayConfig}; every error names the key, the value and what is allowed. */
final class ConfigReader {
    private static final Set<String> KEYS = Set.of(
            "island",
            "listen",
            "tls",
            "routes",
            "default",
            "without-island",
            "guarded",
            "grace",
            "source",
            "reuse-port",
            "max-frame",
            "record",
            "connect-timeout");
    private static final int RECORDED = 10_000;
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,6})(KB|MB)");

    private final GatewayConfig.Builder builder = GatewayConfig.builder();

    private ConfigReader() {}

    static GatewayConfig read(String yaml) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        Object document;
        try {
            document = new Yaml(new SafeConstructor(options)).load(yaml);
        } catch (YAMLException e) {
            throw new IllegalArgumentException("not readable as YAML: " + e.getMessage(), e);
        }
        return new ConfigReader().config(map("the configuration", document));
    }

    private GatewayConfig config(Map<?, ?> document) {
        checkKeys("", document, KEYS);
        builder.island(text("island", document.get("island")));
        if (document.get("listen") != null) {
            Address address = at("listen", () -> Address.parse(text("listen", document.get("listen"))));
            builder.listen(address.host(), address.port());
        }
        if (document.get("tls") != null) {
            Map<?, ?> tls = map("tls", document.get("tls"));
            checkKeys("tls.", tls, Set.of("certificate", "private-key", "clients"));
            builder.tls(
                    file("tls.certificate", tls.get("certificate")),
                    file("tls.private-key", tls.get("private-key")),
                    tls.get("clients") == null ? null : file("tls.clients", tls.get("clients")));
        }
        if (document.get("routes") != null) {
            map("routes", document.get("routes")).forEach((island, route) -> route(text("routes", island), route));
        }
        if (document.get("default") != null) {
            Map<?, ?> route = map("default", document.get("default"));
            checkKeys("default.", route, Set.of("next"));
            at("default.next", () -> builder.defaultNext(some("default.next", route.get("next"))));
        }
        given(document, "guarded", (key, value) -> builder.guarded(bool(key, value)));
        given(document, "without-island", (key, value) -> builder.withoutIsland(text(key, value)));
        given(document, "grace", (key, value) -> builder.grace(duration(key, value)));
        given(document, "connect-timeout", (key, value) -> builder.connectTimeout(duration(key, value)));
        given(document, "source", (key, value) -> at(key, () -> builder.source(text(key, value))));
        given(document, "reuse-port", (key, value) -> builder.reusePort(bool(key, value)));
        given(document, "max-frame", (key, value) -> builder.maxFrame(size(key, value)));
        if (document.get("record") != null) {
            Map<?, ?> recording = map("record", document.get("record"));
            checkKeys("record.", recording, Set.of("directory", "messages"));
            builder.record(
                    file("record.directory", recording.get("directory")),
                    number("record.messages", recording.get("messages"), RECORDED));
        }
        return builder.build();
    }

    private static void given(Map<?, ?> document, String key, BiConsumer<String, Object> change) {
        Object value = document.get(key);
        if (value != null) {
            change.accept(key, value);
        }
    }

    private void route(String island, @Nullable Object value) {
        String key = "routes." + island;
        Map<?, ?> route = map(key, value);
        checkKeys(key + ".", route, Set.of("providers", "registry", "next"));
        if (route.size() != 1) {
            throw new IllegalArgumentException(
                    key + ": " + route.keySet() + " given; allowed: one of providers, registry, next");
        }
        if (route.containsKey("next")) {
            at(key + ".next", () -> builder.next(island, some(key + ".next", route.get("next"))));
        } else if (route.containsKey("registry")) {
            String url = text(key + ".registry", route.get("registry"));
            at(key + ".registry", () -> builder.registry(island, url));
        } else {
            map(key + ".providers", route.get("providers"))
                    .forEach((service, addresses) ->
                            providers(island, key + ".providers." + service, String.valueOf(service), addresses));
        }
    }

    /** A plain list serves Dubbo frames and Triple: Dubbo can offer both on one port. */
    private void providers(String island, String key, String service, @Nullable Object value) {
        if (value instanceof List<?>) {
            List<String> both = some(key, value);
            at(key, () -> builder.providers(island, service, both, both));
            return;
        }
        Map<?, ?> protocols = map(key, value);
        checkKeys(key + ".", protocols, Set.of("dubbo", "triple", "http"));
        List<String> dubbo = list(key + ".dubbo", protocols.get("dubbo"));
        List<String> triple = list(key + ".triple", protocols.get("triple"));
        List<String> http = list(key + ".http", protocols.get("http"));
        at(key, () -> builder.providers(island, service, dubbo, triple, http));
    }

    private static void checkKeys(String prefix, Map<?, ?> map, Set<String> allowed) {
        for (Object key : map.keySet()) {
            if (!(key instanceof String) || !allowed.contains(key)) {
                throw new IllegalArgumentException(prefix + key + ": unknown key; allowed: " + new TreeSet<>(allowed));
            }
        }
    }

    private static Map<?, ?> map(String key, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw wrong(key, value, "a map");
    }

    private static Path file(String key, @Nullable Object value) {
        return Path.of(text(key, value));
    }

    private static String text(String key, @Nullable Object value) {
        if (value instanceof String || value instanceof Integer) {
            return value.toString();
        }
        throw wrong(key, value, "a text");
    }

    private static boolean bool(String key, @Nullable Object value) {
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw wrong(key, value, "true or false");
    }

    private static List<String> some(String key, @Nullable Object value) {
        List<String> list = list(key, value);
        if (list.isEmpty()) {
            throw wrong(key, value, "a list of host:port, at least one");
        }
        return list;
    }

    private static List<String> list(String key, @Nullable Object value) {
        if (value == null) {
            return List.of();
        } else if (value instanceof List<?> list) {
            return list.stream().map(element -> text(key, element)).toList();
        }
        throw wrong(key, value, "a list of host:port");
    }

    private static int number(String key, @Nullable Object value, int ifAbsent) {
        if (value == null) {
            return ifAbsent;
        } else if (value instanceof Integer number && number > 0) {
            return number;
        }
        throw wrong(key, value, "a number, 1 and more");
    }

    private static Duration duration(String key, @Nullable Object value) {
        Matcher matcher = DURATION.matcher(String.valueOf(value));
        if (!matcher.matches()) {
            throw wrong(key, value, "a number with ms, s or m, such as 5s");
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            default -> Duration.ofMinutes(amount);
        };
    }

    private static long size(String key, @Nullable Object value) {
        Matcher matcher = SIZE.matcher(String.valueOf(value));
        long bytes = matcher.matches()
                ? Long.parseLong(matcher.group(1)) << (matcher.group(2).equals("KB") ? 10 : 20)
                : 0;
        if (bytes < 1 << 10 || bytes > 1 << 30) {
            throw wrong(key, value, "1KB to 1024MB, such as 16MB");
        }
        return bytes;
    }

    /** Puts the key before the builder's message about a value. */
    private static <T> T at(String key, Supplier<T> change) {
        try {
            return change.get();
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            throw message.startsWith(key) ? e : new IllegalArgumentException(key + ": " + message, e);
        }
    }

    private static IllegalArgumentException wrong(String key, @Nullable Object value, String allowed) {
        return new IllegalArgumentException(key + ": '" + value + "' given; allowed: " + allowed);
    }
}
