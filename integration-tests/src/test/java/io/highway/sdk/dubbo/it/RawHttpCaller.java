// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import com.alibaba.com.caucho.hessian.io.Hessian2Output;
import io.highway.tools.fixtures.http.MalformedRequests;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/** One connection of a peer that writes requests of the HTTP tunnel byte by byte, without Dubbo. */
final class RawHttpCaller implements AutoCloseable {

    static final String SERVICE = Shop.class.getName();

    private final Socket socket;
    private final InputStream in;

    RawHttpCaller(String address) throws IOException {
        this(new Socket(
                address.substring(0, address.lastIndexOf(':')),
                Integer.parseInt(address.substring(address.lastIndexOf(':') + 1))));
    }

    RawHttpCaller(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        socket.setSoTimeout(15_000);
    }

    /** A request with everything that the wire demands, to be changed before it is written. */
    static final class Call {

        String path = "/highway/shanghai/" + SERVICE + "/";
        final Map<String, String> headers = new LinkedHashMap<>();
        final Map<String, Object> attachments = new LinkedHashMap<>();
        final String method;
        String types;
        Object[] arguments;
        int flags = 0xc2;
        byte[] body;

        Call(String method, String types, Object... arguments) {
            this.method = method;
            this.types = types;
            this.arguments = arguments;
            path += method;
            headers.put("host", "shanghai.test");
            headers.put("content-type", "application/x-dubbo");
            headers.put("highway-call-id", id());
            route("highway-island", "shanghai");
            route("highway-from", "zhejiang/orders/1");
            attachments.put("path", SERVICE);
            attachments.put("interface", SERVICE);
            attachments.put("remote.application", "orders");
        }

        static Call sell(String item) {
            return new Call("sell", "Ljava/lang/String;", item);
        }

        static Call slow(int millis) {
            return new Call("slow", "I", millis);
        }

        Call route(String name, String value) {
            headers.put(name, value);
            attachments.put(name, value);
            return this;
        }

        Call header(String name, String value) {
            if (value == null) {
                headers.remove(name);
            } else {
                headers.put(name, value);
            }
            return this;
        }

        Call oneway() {
            flags = 0x82;
            return this;
        }

        byte[] frame() {
            if (body != null) {
                return body;
            }
            try {
                ByteArrayOutputStream data = new ByteArrayOutputStream();
                Hessian2Output out = new Hessian2Output(data);
                for (String text : new String[] {
                    "2.0.2", SERVICE, String.valueOf(attachments.getOrDefault("version", "0.0.0")), method, types
                }) {
                    out.writeString(text);
                }
                for (Object argument : arguments) {
                    out.writeObject(argument);
                }
                out.writeObject(attachments);
                out.flush();
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                DataOutputStream frame = new DataOutputStream(bytes);
                frame.writeShort(0xdabb);
                frame.writeByte(flags);
                frame.writeByte(0);
                frame.writeLong(ThreadLocalRandom.current().nextLong());
                frame.writeInt(data.size());
                frame.write(data.toByteArray());
                body = bytes.toByteArray();
                return body;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        String head() {
            StringBuilder head = new StringBuilder("POST ").append(path).append(" HTTP/1.1\r\n");
            headers.forEach((name, value) ->
                    head.append(name).append(": ").append(value).append("\r\n"));
            return head.toString();
        }

        MalformedRequests.Call wellFormed() {
            return new MalformedRequests.Call(head(), frame());
        }

        byte[] bytes() {
            return wellFormed().bytes();
        }

        byte[] chunked(int size) {
            return wellFormed().chunked(size);
        }
    }

    static String id() {
        return String.format("%016x%016x", ThreadLocalRandom.current().nextLong(), 1);
    }

    static byte[] join(String head, byte[] body) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(head.getBytes(ISO_8859_1));
        all.writeBytes(body);
        return all.toByteArray();
    }

    /** What the answer says: its status line, headers in lower case, and body. */
    record Answer(String status, Map<String, String> headers, byte[] body) {

        String refused() {
            return headers.get("highway-refused");
        }

        private Hessian2Input data() {
            if (body.length < 16) {
                throw new AssertionError("no frame: " + this);
            }
            return new Hessian2Input(new ByteArrayInputStream(body, 16, body.length - 16));
        }

        int frameStatus() {
            return body[3];
        }

        /** The value or the exception of a frame whose status is OK; otherwise the text of the error. */
        Object result() throws IOException {
            Hessian2Input data = data();
            if (frameStatus() != 20) {
                return data.readString();
            }
            int kind = data.readInt();
            return kind == 5 || kind == 2 ? null : data.readObject();
        }

        @SuppressWarnings("unchecked")
        Map<String, Object> attachments() throws IOException {
            Hessian2Input data = data();
            int kind = data.readInt();
            if (kind != 5) {
                data.readObject();
            }
            return (Map<String, Object>) data.readObject();
        }

        @Override
        public String toString() {
            return status + " " + headers + " " + new String(body, ISO_8859_1);
        }
    }

    RawHttpCaller write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    RawHttpCaller write(String text) throws IOException {
        return write(text.getBytes(ISO_8859_1));
    }

    Answer call(Call call) throws IOException {
        return write(call.bytes()).read();
    }

    /** The next answer; null if the connection is closed instead. */
    Answer read() throws IOException {
        String status = line();
        if (status == null) {
            return null;
        }
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(); line != null && !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).trim());
        }
        byte[] body = new byte[Integer.parseInt(headers.getOrDefault("content-length", "0"))];
        if ("chunked".equals(headers.get("transfer-encoding"))) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
                all.writeBytes(in.readNBytes(size));
                line();
            }
            line();
            body = all.toByteArray();
        } else {
            new DataInputStream(in).readFully(body);
        }
        return new Answer(status, headers, body);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                return line.isEmpty() ? null : line.toString();
            }
            line.append((char) c);
        }
        return line.toString().trim();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
