// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.compression;

import io.highway.tools.benchmarks.orders.Orders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import org.apache.dubbo.common.serialize.ObjectOutput;
import org.apache.dubbo.common.serialize.Serialization;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** The content of messages. */
enum Content {
    /** An order as text, cut at the size. */
    JSON("JSON text") {
        @Override
        byte[] message(int bytes, Random random) {
            return Orders.json(bytes, random.nextLong());
        }
    },

    /** An order as Dubbo writes it by default, cut at the size. */
    HESSIAN2("hessian2 objects") {
        @Override
        byte[] message(int bytes, Random random) {
            long seed = random.nextLong();
            int jsonBytes = bytes;
            byte[] written;
            do {
                jsonBytes += bytes;
                written = hessian2(Orders.ofJsonBytes(jsonBytes, seed));
            } while (written.length < bytes);
            return Arrays.copyOf(written, bytes);
        }
    },

    RANDOM("random bytes") {
        @Override
        byte[] message(int bytes, Random random) {
            byte[] message = new byte[bytes];
            random.nextBytes(message);
            return message;
        }
    };

    private final String title;

    Content(String title) {
        this.title = title;
    }

    abstract byte[] message(int bytes, Random random);

    /** For tables. */
    String title() {
        return title;
    }

    /** For files. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static byte[] hessian2(Object object) {
        Serialization hessian2 = FrameworkModel.defaultModel()
                .getExtensionLoader(Serialization.class)
                .getExtension("hessian2");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            ObjectOutput out = hessian2.serialize(null, bytes);
            out.writeObject(object);
            out.flushBuffer();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
