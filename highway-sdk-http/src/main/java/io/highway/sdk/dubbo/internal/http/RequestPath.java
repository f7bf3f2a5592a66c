// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The path of a call: {@code /highway/<island>/<service>/<method>}. The service may have slashes.
 *
 * @param service its path on the wire, without group and version
 * @param method as in the frame
 */
public record RequestPath(String island, String service, String method) {

    private static final int LEAST_SEGMENTS = 3;

    /** The path as it is written, with percent escapes. */
    public String text() {
        String escaped =
                Arrays.stream(service.split("/", -1)).map(RequestPath::escape).collect(Collectors.joining("/"));
        return HttpWire.PREFIX + escape(island) + "/" + escaped + "/" + escape(method);
    }

    /** Reads a path; null if it is not that of a call: another prefix, an empty segment, a query, wrong escapes. */
    public static @Nullable RequestPath parse(String target) {
        if (!target.startsWith(HttpWire.PREFIX) || target.indexOf('?') >= 0 || target.indexOf('+') >= 0) {
            return null;
        }
        String[] segments = target.substring(HttpWire.PREFIX.length()).split("/", -1);
        if (segments.length < LEAST_SEGMENTS) {
            return null;
        }
        try {
            for (int i = 0; i < segments.length; i++) {
                segments[i] = URLDecoder.decode(segments[i], StandardCharsets.UTF_8);
                if (segments[i].isEmpty()) {
                    return null;
                }
            }
        } catch (IllegalArgumentException e) {
            return null;
        }
        int last = segments.length - 1;
        return new RequestPath(
                segments[0], String.join("/", Arrays.asList(segments).subList(1, last)), segments[last]);
    }

    private static String escape(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%24", "$");
    }
}
