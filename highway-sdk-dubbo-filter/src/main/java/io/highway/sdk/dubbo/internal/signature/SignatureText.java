// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

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

    private static final String KEY_ID = ";kid=";
    private static final String SECONDS = ";ts=";
    private static final String NONCE = ";n=";
    private static final String SIGNATURE = ";sig=";
    private static final int NONCE_LENGTH = 22;

    /** Reads a header; null if it is not well-formed. */
    static @Nullable SignatureText parse(String header) {
        int versionEnd = header.indexOf(';');
        if (!isVersion(header, versionEnd) || !header.startsWith(KEY_ID, versionEnd)) {
            return null;
        }
        int keyStart = versionEnd + KEY_ID.length();
        int keyEnd = endOfKeyId(header, keyStart);
        int timeStart = keyEnd + SECONDS.length();
        int timeEnd = header.startsWith(SECONDS, keyEnd) ? endOfDigits(header, timeStart) : keyEnd;
        int nonceStart = timeEnd + NONCE.length();
        int nonceEnd = nonceStart + NONCE_LENGTH;
        int signatureStart = nonceEnd + SIGNATURE.length();
        boolean isWellFormed = keyEnd > keyStart
                && timeEnd > timeStart
                && header.startsWith(NONCE, timeEnd)
                && header.startsWith(SIGNATURE, nonceEnd)
                && header.length() == signatureStart + KeyedMac.LENGTH
                && isBase64(header, nonceStart, nonceEnd)
                && isBase64(header, signatureStart, header.length());
        return isWellFormed
                ? new SignatureText(
                        header.substring(0, versionEnd),
                        header.substring(keyStart, keyEnd),
                        header.substring(timeStart, timeEnd),
                        header.substring(nonceStart, nonceEnd),
                        header.substring(signatureStart))
                : null;
    }

    private static boolean isVersion(String header, int end) {
        return end >= 2 && end <= 4 && header.charAt(0) == 'v' && endOfDigits(header, 1) == end;
    }

    /** Where the key id ends, or where it starts if it is too long. */
    private static int endOfKeyId(String header, int start) {
        int end = start;
        while (end < header.length() && isOfKeyId(header.charAt(end))) {
            end++;
        }
        return end - start <= 63 ? end : start;
    }

    private static boolean isOfKeyId(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    }

    private static int endOfDigits(String header, int start) {
        int end = start;
        while (end < header.length() && end - start < 13 && header.charAt(end) >= '0' && header.charAt(end) <= '9') {
            end++;
        }
        boolean isNumber = end - start <= 12 && (end - start == 1 || (end > start && header.charAt(start) != '0'));
        return isNumber ? end : start;
    }

    private static boolean isBase64(String header, int start, int end) {
        for (int i = start; i < end; i++) {
            char c = header.charAt(i);
            if (!isOfKeyId(c) && !(c >= 'A' && c <= 'Z') && c != '_') {
                return false;
            }
        }
        return true;
    }
}
