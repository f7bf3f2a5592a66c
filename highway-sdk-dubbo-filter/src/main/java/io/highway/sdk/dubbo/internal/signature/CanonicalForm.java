// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import io.highway.sdk.dubbo.internal.call.CanonicalMethod;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a signature covers. Each field is its length in bytes, as four bytes, followed by its UTF-8 bytes: the
 * version, key id, time, nonce, island, sender, service, method; then the number of parameter types as four bytes, -1
 * if the call leaves them to the provider, and each type.
 */
final class CanonicalForm {

    static final String VERSION = "v2";

    private static final String DEFAULT_VERSION = ":0.0.0";

    private CanonicalForm() {}

    static byte[] of(
            String keyId,
            String seconds,
            String nonce,
            String island,
            @Nullable String from,
            String service,
            CanonicalMethod method) {
        ByteArrayOutputStream form = new ByteArrayOutputStream(512);
        add(VERSION, form);
        add(keyId, form);
        add(seconds, form);
        add(nonce, form);
        add(island, form);
        add(from == null ? "" : from, form);
        add(
                service.endsWith(DEFAULT_VERSION) // means none
                        ? service.substring(0, service.length() - DEFAULT_VERSION.length())
                        : service,
                form);
        add(method.name(), form);
        List<String> types = method.types();
        add(types == null ? -1 : types.size(), form);
        if (types != null) {
            types.forEach(type -> add(type, form));
        }
        return form.toByteArray();
    }

    private static void add(String field, ByteArrayOutputStream form) {
        byte[] text = field.getBytes(StandardCharsets.UTF_8);
        add(text.length, form);
        form.writeBytes(text);
    }

    private static void add(int number, ByteArrayOutputStream form) {
        form.write(number >>> 24);
        form.write(number >>> 16);
        form.write(number >>> 8);
        form.write(number);
    }
}
