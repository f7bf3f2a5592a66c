// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.files.LocalFileReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A forward proxy: it resolves the names of gateways and connects to them.
 *
 * @param protocol {@code http}, which means its method CONNECT, or {@code socks5}
 * @param host a name or an IP address, IPv6 without brackets
 * @param user null if the proxy asks for none
 * @param password as written: the password, or the file with it; empty without a user
 */
public record ForwardProxy(String protocol, String host, int port, @Nullable String user, String password) {

    private static final String HTTP = "http";
    private static final Pattern URL =
            Pattern.compile("(http|socks5)://(?:([^:]+):(.*)@)?(\\[[\\w:.%]+]|[\\w.-]+):([0-9]{1,5})/?");
    private static final int MOST_BYTES = 1024;

    static ForwardProxy parse(String key, String text) {
        Matcher url = URL.matcher(text);
        int port = url.matches() ? Integer.parseInt(url.group(5)) : 0;
        if (port < 1 || port > 65535) {
            throw HighwayConfigurationException.notAllowed(
                    key,
                    shown(text),
                    "http://host:port or socks5://host:port, with user:password@ before the host if the proxy asks for it",
                    "Write the proxy's protocol, its host, a colon and its port (1 to 65535)");
        }
        String password = url.group(3) == null ? "" : url.group(3);
        return new ForwardProxy(url.group(1), url.group(4).replaceAll("[\\[\\]]", ""), port, url.group(2), password);
    }

    /** A value as it may be shown: without user and password. */
    static String shown(String text) {
        int at = text.lastIndexOf('@');
        return at < 0 ? text : SecretSource.HIDDEN + text.substring(at);
    }

    /** Whether it is asked by the method CONNECT of HTTP, and not by SOCKS5. */
    public boolean isHttp() {
        return protocol.equals(HTTP);
    }

    /**
     * The password; if it is in a file, the one that this has now.
     *
     * @throws IOException if the file cannot be read
     */
    public String readPassword() throws IOException {
        try {
            Path file = new SecretSource("gateways.proxy", password).file();
            return file == null
                    ? password
                    : new String(LocalFileReader.read(file, MOST_BYTES), StandardCharsets.UTF_8).strip();
        } catch (InvalidPathException e) {
            throw new IOException("the path of the file is malformed", e);
        }
    }

    /** The URL; user and password are never included. */
    @Override
    public String toString() {
        return protocol + "://" + (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
