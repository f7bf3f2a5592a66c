// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import com.alibaba.com.caucho.hessian.io.Hessian2Output;
import com.github.luben.zstd.Zstd;
import io.highway.tools.security.service.StoreService;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.dubbo.rpc.protocol.tri.TripleCustomerProtocolWrapper.TripleRequestWrapper;

/** The bodies of raw calls, as Dubbo's clients write them. */
final class Body {

    static final String STORE = "store";
    static final String PING = "ping";

    private static final int LEAST = 1 << 10;

    private Body() {}

    /** A method's only argument: bytes for {@link #STORE}, a text for {@link #PING}. */
    private interface Writing {
        void to(Hessian2Output out) throws IOException;
    }

    /** A call of {@link StoreService#store} whose body has so many bytes. */
    static byte[] store(Cell cell, int size) {
        if (size < LEAST) {
            throw new IllegalArgumentException("a body has at least " + LEAST + " bytes");
        }
        int argument = size - LEAST;
        byte[] body = body(cell, argument);
        while (body.length != size) { // Hessian writes a few bytes per chunk of the argument
            argument += size - body.length;
            body = body(cell, argument);
        }
        return body;
    }

    private static byte[] body(Cell cell, int argument) {
        byte[] bytes = new byte[argument];
        return cell.isTriple()
                ? wrapper("[B", hessian(out -> out.writeBytes(bytes)))
                : request(STORE, "[B", out -> out.writeBytes(bytes), Map.of());
    }

    /** A call of {@link StoreService#ping}. */
    static byte[] ping(Cell cell, Map<String, String> attachments) {
        Writing text = out -> out.writeString("tea");
        return cell.isTriple()
                ? wrapper("java.lang.String", hessian(text))
                : request(PING, "Ljava/lang/String;", text, attachments);
    }

    /** The message of Triple. */
    private static byte[] wrapper(String type, byte[] argument) {
        return TripleRequestWrapper.Builder.newBuilder()
                .setSerializeType("hessian4")
                .addArgTypes(type)
                .addArgs(argument)
                .build()
                .toByteArray();
    }

    /** The body of the Dubbo protocol. */
    private static byte[] request(String method, String types, Writing argument, Map<String, String> attachments) {
        String service = StoreService.class.getName();
        return hessian(out -> {
            for (String text : List.of("2.0.2", service, "0.0.0", method, types)) {
                out.writeString(text);
            }
            argument.to(out);
            out.writeMapBegin(null);
            for (Map<String, String> some : List.of(
                    Map.of("path", service, "interface", service, "remote.application", "orders"), attachments)) {
                for (Map.Entry<String, String> one : some.entrySet()) {
                    out.writeString(one.getKey());
                    out.writeString(one.getValue());
                }
            }
            out.writeMapEnd();
        });
    }

    private static byte[] hessian(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Hessian2Output out = new Hessian2Output(bytes);
        try {
            writing.to(out);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** What a gRPC message is before its bytes: whether it is compressed, and its length. */
    static byte[] message(boolean compressed, byte[] body) {
        ByteArrayOutputStream message = new ByteArrayOutputStream(body.length + 5);
        try (DataOutputStream out = new DataOutputStream(message)) {
            out.writeBoolean(compressed);
            out.writeInt(body.length);
            out.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return message.toByteArray();
    }

    static byte[] compress(String encoding, byte[] body) {
        if (encoding.equals("zstd")) {
            return Zstd.compress(body);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
