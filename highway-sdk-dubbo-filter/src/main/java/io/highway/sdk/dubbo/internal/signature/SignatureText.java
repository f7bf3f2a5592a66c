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

    /** Short, since each call is parsed once or twice: what follows has a fixed length, and is read without a pattern. */
    private static final Pattern HEAD =
            Pattern.compile("(v(?:0|[1-9][0-9]{0,2}));kid=([a-z0-9-]{1,63});ts=(0|[1-9][0-9]{0,11})");

    private static final String NONCE = ";n=";
    private static final int NONCE_LENGTH = 22;
    private static final String SIGNATURE = ";sig=";

    /** Reads a header; null if it is not well-formed. */
    static @Nullable SignatureText parse(String header) {
        int signature = header.length() - KeyedMac.LENGTH;
        int nonce = signature - SIGNATURE.length() - NONCE_LENGTH;
        int end = nonce - NONCE.length();
        if (!header.startsWith(NONCE, end)
                || !header.startsWith(SIGNATURE, nonce + NONCE_LENGTH)
                || !isBase64Url(header, nonce, nonce + NONCE_LENGTH)
                || !isBase64Url(header, signature, header.length())) {
            return null;
        }
        Matcher head = HEAD.matcher(header).region(0, end);
        return head.matches()
                ? new SignatureText(
                        head.group(1),
                        head.group(2),
                        head.group(3),
                        header.substring(nonce, nonce + NONCE_LENGTH),
                        header.substring(signature))
                : null;
    }

    private static boolean isBase64Url(String header, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = header.charAt(i);
            boolean isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!isLetter && !(c >= '0' && c <= '9') && c != '-' && c != '_') {
                return false;
            }
        }
        return true;
    }
}
