// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a {@code highway-sign} header, as they are written.
 *
 * @param version {@code v} and a number of 1 to 3 digits without leading zeros
 * @param keyId 1 to 63 lower-case letters, digits and hyphens
 * @param seconds 1 to 12 digits without leading zeros
 * @param nonce 22 characters of base64url
 * @param signature 43 characters of base64url
 */
record SignatureText(String version, String keyId, String seconds, String nonce, String signature) {

    private static final Pattern GRAMMAR = Pattern.compile("(v(?:0|[1-9][0-9]{0,2}));kid=([a-z0-9-]{1,63});"
            + "ts=(0|[1-9][0-9]{0,11});n=([A-Za-z0-9_-]{22});sig=([A-Za-z0-9_-]{" + KeyedMac.LENGTH + "})");

    /** Reads a header; null if it is not well-formed. */
    static @Nullable SignatureText parse(String header) {
        Matcher parts = GRAMMAR.matcher(header);
        return parts.matches()
                ? new SignatureText(parts.group(1), parts.group(2), parts.group(3), parts.group(4), parts.group(5))
                : null;
    }
}
