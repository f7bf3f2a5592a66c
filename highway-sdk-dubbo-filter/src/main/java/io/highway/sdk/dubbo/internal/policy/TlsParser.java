// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.network.tls.TlsSettings;
import io.highway.sdk.dubbo.internal.network.tls.UnusableTlsException;
import io.netty.handler.ssl.SslContext;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the TLS keys of gateways. */
record TlsParser(TunnelKind kind, IslandSettings keys) {

    private static final List<Key<?>> ALL = List.of(
            HighwayKeys.TLS_ENABLED,
            HighwayKeys.TRUST_CERTIFICATES,
            HighwayKeys.TRUST_PASSWORD,
            HighwayKeys.CERTIFICATE,
            HighwayKeys.PRIVATE_KEY,
            HighwayKeys.KEY_PASSWORD,
            HighwayKeys.VERIFY_HOST);

    private static final Pattern CONTROL = Pattern.compile("\\p{Cc}");

    /**
     * Reads the keys, and the files once, so that an error fails start-up.
     *
     * @param kind the protocol of the gateways
     * @param keys those of the island; what neither it nor {@code defaults} sets is home's
     * @param readsFiles false if the files were read with the static configuration
     * @return null if the gateways are not secured
     * @throws HighwayConfigurationException if a value is invalid
     */
    static @Nullable TlsSettings read(TunnelKind kind, IslandSettings keys, boolean readsFiles) {
        return new TlsParser(kind, keys).read(readsFiles);
    }

    private @Nullable TlsSettings read(boolean readsFiles) {
        if (ALL.stream().allMatch(key -> value(key) == null) || !isEnabled()) {
            return null;
        }
        require(HighwayKeys.TRUST_PASSWORD, HighwayKeys.TRUST_CERTIFICATES);
        require(HighwayKeys.PRIVATE_KEY, HighwayKeys.CERTIFICATE);
        require(HighwayKeys.KEY_PASSWORD, HighwayKeys.CERTIFICATE);
        Boolean verifiesHost = value(HighwayKeys.VERIFY_HOST);
        TlsSettings tls = new TlsSettings(
                value(HighwayKeys.TRUST_CERTIFICATES),
                value(HighwayKeys.TRUST_PASSWORD),
                value(HighwayKeys.CERTIFICATE),
                value(HighwayKeys.PRIVATE_KEY),
                value(HighwayKeys.KEY_PASSWORD),
                verifiesHost == null || verifiesHost);
        if (readsFiles) {
            readFiles(tls);
        }
        return tls;
    }

    private void readFiles(TlsSettings tls) {
        try {
            SslContext unused = tls.read(kind.isHttp2());
        } catch (UnusableTlsException e) {
            throw new HighwayConfigurationException(
                    fullKey(e.key()),
                    "\"" + visible(e.file()) + "\" cannot be used: " + visible(e.problem()),
                    "Write the path of a PEM file, or of a PKCS#12 or JKS key store with its password");
        }
    }

    private String fullKey(String lastPart) {
        return ALL.stream()
                .filter(key -> key.name().endsWith("." + lastPart))
                .map(keys::fullKeyOrHomes)
                .findFirst()
                .orElseThrow();
    }

    /** Escapes control characters, which a path may contain by mistake. */
    private static String visible(String text) {
        return CONTROL.matcher(text)
                .replaceAll(c -> String.format("\\\\u%04x", (int) c.group().charAt(0)));
    }

    private boolean isEnabled() {
        String enabled = value(HighwayKeys.TLS_ENABLED);
        return enabled == null || enabled.equals("true") || enabled.equals(kind.word());
    }

    private void require(Key<?> key, Key<?> other) {
        if (value(key) != null && value(other) == null) {
            throw new HighwayConfigurationException(
                    keys.fullKeyOrHomes(other),
                    "missing, though " + keys.fullKeyOrHomes(key) + " is set",
                    "Write both, or remove that one");
        }
    }

    /** An empty value means none, so that an island can override home's value. */
    private <T> @Nullable T value(Key<T> key) {
        String text = keys.textOrHomes(key);
        return text == null || text.isEmpty() ? null : key.read(keys.fullKeyOrHomes(key), text);
    }
}
