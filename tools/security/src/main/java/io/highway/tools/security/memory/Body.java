// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import com.alibaba.com.caucho.hessian.io.Hessian2Output;
import com.github.luben.zstd.ZstdCompressCtx;
import io.highway.tools.security.memory.RawPeer.Request;
import io.highway.tools.security.service.StoreService;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.apache.dubbo.rpc.protocol.dubbo.DubboCodec;
import org.apache.dubbo.rpc.protocol.tri.TripleCustomerProtocolWrapper.TripleRequestWrapper;
import org.apache.dubbo.rpc.protocol.tri.TripleCustomerProtocolWrapper.TripleResponseWrapper;
import org.jspecify.annotations.Nullable;

/**
 * The body of a raw call, as Dubbo's clients write it.
 *
 * @param types the names of the parameters' classes
 * @param attachments the Dubbo protocol has them in the body
 */
record Body(
        String service, String method, List<String> types, List<Writing> arguments, Map<String, Writing> attachments) {

    static final String SERVICE = StoreService.class.getName();
    static final String STORE = "store";
    static final String PING = "ping";

    private static final int LEAST = 1 << 10;

    /** A value. */
    interface Writing {
        void to(Hessian2Output out) throws IOException;
    }

    private Body(String method, List<String> types, Writing argument) {
        this(SERVICE, method, types, List.of(argument), Map.of());
    }

    /** A call of {@link StoreService#store} whose body has so many bytes without attachments. */
    static Body store(Cell cell, int size) {
        if (size < LEAST) {
            throw new IllegalArgumentException("a body has at least " + LEAST + " bytes");
        }
        int argument = size - LEAST;
        int length = store(argument).bytes(cell).length;
        while (length != size) { // Hessian writes a few bytes per chunk of the argument
            argument += size - length;
            length = store(argument).bytes(cell).length;
        }
        return store(argument);
    }

    private static Body store(int argument) {
        return new Body(STORE, List.of("[B"), out -> out.writeBytes(new byte[argument]));
    }

    /** A call of {@link StoreService#ping}. */
    static Body ping() {
        return new Body(PING, List.of("java.lang.String"), out -> out.writeString("tea"));
    }

    /**
     * The call.
     *
     * @param headers of the request; over the Dubbo protocol and HTTP its attachments, too
     * @param more attachments
     * @param encoding how it is compressed, over Triple or HTTP; null if it is not
     */
    Request request(Cell cell, Map<String, String> headers, Map<String, String> more, @Nullable String encoding) {
        Map<String, Writing> all = new LinkedHashMap<>(attachments);
        Map<String, String> sent = new LinkedHashMap<>(headers);
        for (Map<String, String> some : List.of(headers, more)) {
            some.forEach((name, value) -> all.put(name, out -> out.writeString(value)));
        }
        byte[] body = new Body(service, method, types, arguments, all).bytes(cell);
        if (cell.isTriple()) {
            sent.putAll(more);
        }
        if (encoding == null) {
            return Request.of(service, method, sent, framed(cell, body));
        }
        sent.put(cell.isTriple() ? "grpc-encoding" : "highway-encoding", encoding);
        byte[] compressed =
                cell.isHttp() ? compress(encoding, framed(cell, body)) : message(true, compress(encoding, body));
        return Request.of(service, method, sent, compressed);
    }

    /** What is sent after the head of an answer that is a text of so many letters: a Triple message, or a Dubbo body. */
    static byte[] answer(Cell cell, int letters) {
        Writing text = out -> out.writeString("a".repeat(letters));
        if (cell.isTriple()) {
            return TripleResponseWrapper.Builder.newBuilder()
                    .setSerializeType("hessian4")
                    .setType(String.class.getName())
                    .setData(hessian(text))
                    .build()
                    .toByteArray();
        }
        return hessian(out -> {
            out.writeInt(DubboCodec.RESPONSE_VALUE);
            text.to(out);
        });
    }

    private byte[] bytes(Cell cell) {
        return cell.isTriple() ? wrapper() : request();
    }

    /** The message of Triple. */
    private byte[] wrapper() {
        TripleRequestWrapper.Builder wrapper =
                TripleRequestWrapper.Builder.newBuilder().setSerializeType("hessian4");
        types.forEach(wrapper::addArgTypes);
        arguments.forEach(argument -> wrapper.addArgs(hessian(argument)));
        return wrapper.build().toByteArray();
    }

    /** The body of the Dubbo protocol. */
    private byte[] request() {
        return hessian(out -> {
            for (String text : List.of("2.0.2", service, "0.0.0", method, descriptor())) {
                out.writeString(text);
            }
            for (Writing argument : arguments) {
                argument.to(out);
            }
            out.writeMapBegin(null);
            out.addRef(attachments);
            for (String[] one :
                    List.of(new String[] {"path", service}, new String[] {"interface", service}, new String[] {
                        "remote.application", "orders"
                    })) {
                out.writeString(one[0]);
                out.writeString(one[1]);
            }
            for (Map.Entry<String, Writing> one : attachments.entrySet()) {
                out.writeString(one.getKey());
                one.getValue().to(out);
            }
            out.writeMapEnd();
        });
    }

    private String descriptor() {
        return types.stream()
                .map(type -> (type.startsWith("[") ? type : "L" + type + ";").replace('.', '/'))
                .collect(Collectors.joining());
    }

    static byte[] hessian(Writing writing) {
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

    /** As it is sent after the headers; a head of the Dubbo protocol is written with it. */
    static byte[] framed(Cell cell, byte[] body) {
        if (cell.isHttp()) {
            return DubboFrames.frame(body);
        }
        return cell.isTriple() ? message(false, body) : body;
    }

    /** What a gRPC message is before its bytes: whether it is compressed, and its length. */
    static byte[] message(boolean compressed, byte[] body) {
        return Unpooled.buffer(body.length + 5, body.length + 5)
                .writeBoolean(compressed)
                .writeInt(body.length)
                .writeBytes(body)
                .array();
    }

    static byte[] compress(String encoding, byte[] body) {
        if (encoding.equals("zstd")) {
            try (ZstdCompressCtx context = new ZstdCompressCtx().setContentSize(body.length >= LEAST)) {
                return context.compress(body); // a smaller one is the head of a frame: it is not all
            }
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
