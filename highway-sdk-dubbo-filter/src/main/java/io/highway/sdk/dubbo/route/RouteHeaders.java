// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.route;

import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.dubbo.policy.SigningPolicy;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.RpcContext;
import org.jspecify.annotations.Nullable;

/**
 * The three route headers, written at home and read at the destination.
 *
 * @param island the destination
 * @param from {@code <island>/<application>/<hops>}, or null
 * @param sign the signature, or null
 */
public record RouteHeaders(String island, @Nullable String from, @Nullable String sign) {

    /** The prefix of all names on the wire. */
    private static final String PREFIX = "highway-";

    /** A key of the call's attributes, which never leave the process. */
    private static final String KEY = RouteHeaders.class.getName();

    private static final String ALGORITHM = "HmacSHA256";
    private static final int MAX_CLOCK_SKEW_SECONDS = 300;

    /** The value of {@code highway-from}. */
    public static String sender(String home, String application, int hops) {
        return home + "/" + ascii(application) + "/" + hops;
    }

    /**
     * The headers of a call that leaves home.
     *
     * @param from the result of {@link #sender}
     */
    public static RouteHeaders of(String island, String from, SigningPolicy signing, long nowSeconds) {
        String keyId = signing.keyId();
        String secret = signing.secret();
        if (keyId == null || secret == null) {
            return new RouteHeaders(island, from, null);
        }
        String sign =
                "v1;kid=" + keyId + ";ts=" + nowSeconds + ";sig=" + signature(secret, keyId, nowSeconds, island, from);
        return new RouteHeaders(island, from, sign);
    }

    /**
     * The headers of a call that arrived, or null if it comes from home. A value that is not text is read as a
     * placeholder with its type.
     */
    public static @Nullable RouteHeaders read(Invocation invocation) {
        Object island = invocation.getObjectAttachment(HighwayAttachments.ISLAND);
        Object from = invocation.getObjectAttachment(HighwayAttachments.FROM);
        Object sign = invocation.getObjectAttachment(HighwayAttachments.SIGN);
        if (island == null && from == null && sign == null) {
            return null;
        }
        return new RouteHeaders(
                island == null ? "" : text(island), from == null ? null : text(from), sign == null ? null : text(sign));
    }

    private static String text(Object value) {
        return value instanceof String text ? text : "(" + value.getClass().getName() + ")";
    }

    /**
     * Removes every key of the SDK, whatever its value; in upper case, too, since Triple writes all names in lower
     * case.
     */
    public static void strip(Map<String, Object> attachments) {
        attachments.keySet().removeIf(key -> key.regionMatches(true, 0, PREFIX, 0, PREFIX.length()));
    }

    /** Writes the headers. They replace values that an upstream or the application set under the SDK's names. */
    public void write(Invocation invocation) {
        strip(invocation.getObjectAttachments());
        invocation.put(KEY, this);
        put(invocation, HighwayAttachments.ISLAND, island);
        put(invocation, HighwayAttachments.FROM, from);
        put(invocation, HighwayAttachments.SIGN, sign);
    }

    /**
     * Restores the headers that were written and removes every other key of the SDK: filters may have changed them
     * since, and Dubbo adds the attachments of the context afterwards.
     */
    public static void seal(Invocation invocation) {
        if (invocation.get(KEY) instanceof RouteHeaders headers) {
            headers.write(invocation);
            strip(RpcContext.getClientAttachment().getObjectAttachments());
        }
    }

    private static void put(Invocation invocation, String key, @Nullable String value) {
        if (value != null) {
            invocation.setAttachment(key, value);
        }
    }

    /** Returns why the signature is invalid, or null if it is valid. */
    @Nullable
    public String signatureProblem(Map<String, String> accepted, long nowSeconds) {
        if (accepted.isEmpty()) {
            return null;
        }
        if (sign == null) {
            return "unsigned";
        }
        String[] parts = sign.split(";", -1);
        if (parts.length != 4
                || !parts[0].equals("v1")
                || !parts[1].startsWith("kid=")
                || !parts[2].matches("ts=\\d{1,12}")
                || !parts[3].startsWith("sig=")) {
            return "unreadable-signature";
        }
        String keyId = parts[1].substring(4);
        String secret = accepted.get(keyId);
        if (secret == null) {
            return "unknown-key";
        }
        long signedAt = Long.parseLong(parts[2].substring(3));
        if (Math.abs(nowSeconds - signedAt) > MAX_CLOCK_SKEW_SECONDS) {
            return "expired-signature";
        }
        String expected = signature(secret, keyId, signedAt, island, from == null ? "" : from);
        boolean equal = MessageDigest.isEqual(
                expected.getBytes(StandardCharsets.US_ASCII),
                parts[3].substring(4).getBytes(StandardCharsets.US_ASCII));
        return equal ? null : "wrong-signature";
    }

    private static String signature(String secret, String keyId, long seconds, String island, String from) {
        String signed = "v1\n" + keyId + "\n" + seconds + "\n" + island + "\n" + from;
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            byte[] bytes = mac.doFinal(signed.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(ALGORITHM + " is missing from this Java runtime", e);
        }
    }

    /** Header values are ASCII: anything else in an application's name would not survive Triple. */
    public static String ascii(String application) {
        StringBuilder ascii = new StringBuilder(application.length());
        for (int i = 0; i < application.length(); i++) {
            char c = application.charAt(i);
            ascii.append(c > ' ' && c < 0x7f && c != '/' && c != ';' ? c : '_');
        }
        return ascii.toString();
    }
}
