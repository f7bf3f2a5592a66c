// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.policy;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.connection.tls.GatewayTls;
import io.highway.sdk.dubbo.connection.tls.UnusableTlsException;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The TLS keys of gateways. They are siblings of {@code gateways.dubbo}, since in YAML a key with a value cannot have
 * keys below it.
 */
final class TlsKeys {

    private static final String GROUP = "gateways.tls.";

    /** Each key with a description of its default. */
    static final Map<String, String> BUILT_IN = new KeyDefaults()
            .key(GROUP + "enabled", "true if another of these keys is set")
            .key(GROUP + "trust-certificates", "what the Java runtime trusts")
            .key(GROUP + "trust-password", "none")
            .key(GROUP + "certificate", "none")
            .key(GROUP + "private-key", "in the file of the certificate")
            .key(GROUP + "key-password", "none")
            .key(GROUP + "verify-host", "true")
            .build();

    private final TunnelKind kind;
    private final UnaryOperator<@Nullable String> values;
    private final UnaryOperator<String> fullKeys;

    private TlsKeys(TunnelKind kind, UnaryOperator<@Nullable String> values, UnaryOperator<String> fullKeys) {
        this.kind = kind;
        this.values = values;
        this.fullKeys = fullKeys;
    }

    /**
     * Reads the keys, and the files once, so that an error fails start-up.
     *
     * @param readsFiles false if the files were read with the static configuration
     * @param kind the protocol of the gateways
     * @param values the value of a key, or null
     * @param fullKeys its full key, for messages
     * @return null if the gateways are not secured
     * @throws HighwayConfigurationException if a value is invalid
     */
    static @Nullable GatewayTls read(
            TunnelKind kind,
            UnaryOperator<@Nullable String> values,
            UnaryOperator<String> fullKeys,
            boolean readsFiles) {
        return new TlsKeys(kind, values, fullKeys).read(readsFiles);
    }

    private @Nullable GatewayTls read(boolean readsFiles) {
        boolean any = BUILT_IN.keySet().stream().anyMatch(key -> written(key) != null);
        if (!any || !isEnabled()) {
            return null;
        }
        require("trust-password", "trust-certificates");
        require("private-key", "certificate");
        require("key-password", "certificate");
        GatewayTls tls = new GatewayTls(
                value("trust-certificates"),
                value("trust-password"),
                value("certificate"),
                value("private-key"),
                value("key-password"),
                verifiesHost());
        if (readsFiles) {
            readFiles(tls);
        }
        return tls;
    }

    private void readFiles(GatewayTls tls) {
        String advice = "Write the path of a PEM file, or of a PKCS#12 or JKS key store with its password";
        try {
            SslContext unused = LocalFile.inTime(() -> tls.read(kind == TunnelKind.TRIPLE));
        } catch (IOException e) {
            if (e.getCause() instanceof UnusableTlsException unusable) {
                throw new HighwayConfigurationException(
                        fullKey(unusable.key()),
                        "\"" + visible(unusable.file()) + "\" cannot be used: " + visible(unusable.problem()),
                        advice);
            }
            String key = tls.trustCertificates() == null ? "certificate" : "trust-certificates";
            throw new HighwayConfigurationException(fullKey(key), visible(String.valueOf(e.getMessage())), advice);
        }
    }

    /** Escapes control characters, which a path may contain by mistake. */
    private static String visible(String text) {
        StringBuilder visible = new StringBuilder();
        text.chars()
                .forEach(c -> visible.append(
                        Character.isISOControl(c) ? String.format("\\u%04x", c) : String.valueOf((char) c)));
        return visible.toString();
    }

    private boolean isEnabled() {
        String enabled = value("enabled");
        return enabled == null
                || ValueParser.oneOf(fullKey("enabled"), enabled, List.of("true", "false", "dubbo", "triple"))
                        .equals("true")
                || enabled.equals(kind.word());
    }

    private boolean verifiesHost() {
        String verify = value("verify-host");
        return verify == null || ValueParser.flag(fullKey("verify-host"), verify);
    }

    private void require(String key, String other) {
        if (value(key) != null && value(other) == null) {
            throw new HighwayConfigurationException(
                    fullKey(other), "missing, though " + fullKey(key) + " is set", "Write both, or remove that one");
        }
    }

    private @Nullable String value(String key) {
        return written(GROUP + key);
    }

    /** An empty value means none, so that an island can override home's value. */
    private @Nullable String written(String name) {
        String value = values.apply(name);
        return value == null || value.isEmpty() ? null : value;
    }

    private String fullKey(String key) {
        return fullKeys.apply(GROUP + key);
    }
}
