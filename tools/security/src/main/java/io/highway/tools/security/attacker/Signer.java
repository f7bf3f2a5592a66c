// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.attacker;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs as docs/reference/wire-contract.md says, with whatever time and names the attacker wants, and a key that it has. */
public record Signer(String keyId, String secret) {

    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The route headers of a call signed this many seconds from now. */
    public Map<String, String> headers(
            String island, String from, String service, String method, List<String> types, long seconds) {
        String signature = sign(island, from, service, method, types, seconds);
        return Map.of("highway-island", island, "highway-from", from, "highway-sign", signature);
    }

    /** The value of {@code highway-sign} for a call signed this many seconds from now. */
    public String sign(String island, String from, String service, String method, List<String> types, long seconds) {
        byte[] random = new byte[16];
        RANDOM.nextBytes(random);
        String nonce = BASE64.encodeToString(random);
        String time = String.valueOf(System.currentTimeMillis() / 1000 + seconds);
        ByteBuf signed = Unpooled.buffer();
        List.of("v2", keyId, time, nonce, island, from, service, method).forEach(field -> add(signed, field));
        signed.writeInt(types.size());
        types.forEach(type -> add(signed, type));
        return "v2;kid=" + keyId + ";ts=" + time + ";n=" + nonce + ";sig=" + mac(ByteBufUtil.getBytes(signed));
    }

    private static void add(ByteBuf fields, String field) {
        byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
        fields.writeInt(bytes.length).writeBytes(bytes);
    }

    private String mac(byte[] signed) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return BASE64.encodeToString(mac.doFinal(signed));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
