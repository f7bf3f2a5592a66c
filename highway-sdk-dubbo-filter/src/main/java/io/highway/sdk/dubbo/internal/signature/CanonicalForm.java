// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import io.highway.sdk.dubbo.internal.intent.CalledMethod;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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

    private byte[] bytes = new byte[512];
    private int length;

    private CanonicalForm() {}

    static byte[] of(
            String keyId,
            String seconds,
            String nonce,
            String island,
            @Nullable String from,
            String service,
            CalledMethod method) {
        CanonicalForm form = new CanonicalForm();
        form.add(VERSION);
        form.add(keyId);
        form.add(seconds);
        form.add(nonce);
        form.add(island);
        form.add(from == null ? "" : from);
        form.add(
                service.endsWith(DEFAULT_VERSION) // means none
                        ? service.substring(0, service.length() - DEFAULT_VERSION.length())
                        : service);
        form.add(method.name());
        List<String> types = method.types();
        form.add(types == null ? -1 : types.size());
        if (types != null) {
            types.forEach(form::add);
        }
        return Arrays.copyOf(form.bytes, form.length);
    }

    private void add(String field) {
        byte[] text = field.getBytes(StandardCharsets.UTF_8);
        add(text.length);
        reserve(text.length);
        System.arraycopy(text, 0, bytes, length, text.length);
        length += text.length;
    }

    private void add(int number) {
        reserve(Integer.BYTES);
        bytes[length++] = (byte) (number >>> 24);
        bytes[length++] = (byte) (number >>> 16);
        bytes[length++] = (byte) (number >>> 8);
        bytes[length++] = (byte) number;
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
