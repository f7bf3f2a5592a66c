// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.highway.sdk.Highway;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToIntFunction;
import org.apache.dubbo.common.Version;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One call each, byte by byte as it leaves home: what {@code docs/reference/wire-contract.md} shows. What differs from call to call is
 * masked there: ids, ports and what is left of the time.
 */
@Tag("network")
class WireCaptureTest {

    private static final Path PAGE =
            Path.of("").toAbsolutePath().getParent().resolve("docs/reference/wire-contract.md");
    private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

    private static final ExecutorService callers = Executors.newCachedThreadPool();

    private static Star star;

    @BeforeAll
    static void start() {
        star = new Star();
    }

    @AfterAll
    static void end() {
        callers.shutdownNow();
        star.close();
    }

    private interface Capture {
        byte[] from(Socket client) throws IOException;
    }

    private static byte[] captured(Tunnel tunnel, Capture capture)
            throws IOException, ExecutionException, InterruptedException, TimeoutException {
        try (ServerSocket gateway = new ServerSocket(0, 5, InetAddress.getByName("gateway.zhejiang.test"))) {
            CompletableFuture<byte[]> bytes = CompletableFuture.supplyAsync(() -> firstCall(gateway, capture));
            Shop shop = Highway.to("shanghai")
                    .bind(
                            Shop.class,
                            star.shop(
                                    tunnel,
                                    "highway.gateways." + tunnel.key(),
                                    "gateway.zhejiang.test:" + gateway.getLocalPort(),
                                    "highway.heartbeat.interval",
                                    "none"));
            Future<String> unanswered = callers.submit(() -> shop.sell("tea"));
            byte[] sent = bytes.get(20, TimeUnit.SECONDS);
            unanswered.cancel(true);
            return sent;
        }
    }

    /** The SDK probes the port before it connects, and may send heartbeats. */
    private static byte[] firstCall(ServerSocket gateway, Capture capture) {
        while (true) {
            try (Socket client = gateway.accept()) {
                return capture.from(client);
            } catch (IOException e) {
                if (gateway.isClosed()) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    private static byte[] frame(DataInputStream in, int headLength, ToIntFunction<ByteBuf> bodyLength)
            throws IOException {
        byte[] head = new byte[headLength];
        in.readFully(head); // a probe of the port ends here
        byte[] body = new byte[bodyLength.applyAsInt(Unpooled.wrappedBuffer(head))];
        in.readFully(body);
        return Unpooled.wrappedBuffer(head, body).copy().array();
    }

    private static void assertIsDocumented(String listing) throws IOException {
        Path actual = Files.createDirectories(Path.of("target", "wire")).resolve(listing.substring(0, 2) + ".txt");
        Files.writeString(actual, listing);

        assertThat(Files.readString(PAGE))
                .as("the page shows what was captured, see " + actual)
                .contains("```text\n" + listing + "```");
    }

    @Test
    void aDubboCall() throws Exception {
        assumeThat(Version.getVersion())
                .as("3.2 orders attachments in another way")
                .startsWith("3.3");
        byte[] frame = captured(Tunnel.DUBBO, client -> {
            DataInputStream in = new DataInputStream(client.getInputStream());
            DataOutputStream out = new DataOutputStream(client.getOutputStream());
            while (true) {
                byte[] frameBytes = frame(in, 16, head -> head.getInt(12));
                boolean isEvent = (frameBytes[2] & 0x20) != 0;
                boolean isHealthCheck = new String(frameBytes, StandardCharsets.ISO_8859_1).contains("$echo");
                if (!isEvent && !isHealthCheck) { // of an endpoint that answered late, on a busy machine
                    return frameBytes;
                }
                RawDubboGateway.answerHeartbeat(
                        out, Unpooled.wrappedBuffer(frameBytes).getLong(4)); // any answer will do for a health check
            }
        });

        assertIsDocumented(new DubboListing(frame).lines());
    }

    @Test
    void aTripleCall() throws Exception {
        assumeThat(Version.getVersion()).as("3.2 writes other header fields").startsWith("3.3");
        byte[][] frames = new byte[2][];
        captured(Tunnel.TRIPLE, client -> {
            DataInputStream in = new DataInputStream(client.getInputStream());
            DataOutputStream out = new DataOutputStream(client.getOutputStream());
            in.readFully(new byte[24]); // the preface
            out.write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0}); // empty SETTINGS
            boolean ended = false;
            while (!ended) {
                byte[] frameBytes = frame(in, 9, head -> head.getMedium(0));
                if (frameBytes[3] == 1) {
                    frames[0] = frameBytes;
                } else if (frameBytes[3] == 0) {
                    ended = frameBytes[4] == 1;
                    boolean isFirst = frames[1] == null;
                    frames[1] = isFirst ? frameBytes : frames[1];
                    assertThat(isFirst || frameBytes.length == 9)
                            .as("one frame has the message")
                            .isTrue();
                }
            }
            return frames[1];
        });

        assertIsDocumented(headers(frames[0]) + "\n" + data(frames[1]));
    }

    private static String headers(byte[] frame) throws Exception {
        StringBuilder lines = new StringBuilder();
        lines.append(row("00 .. .. 01", "HEADERS"));
        lines.append(row(HEX.formatHex(frame, 4, 5) + " " + HEX.formatHex(frame, 5, 9), "END_HEADERS, stream 3"));
        Http2Headers headers = new DefaultHttp2HeadersDecoder(false)
                .decodeHeaders(3, Unpooled.wrappedBuffer(frame, 9, frame.length - 9));
        for (Map.Entry<CharSequence, CharSequence> header : headers) {
            String value = header.getValue()
                    .toString()
                    .replaceFirst("test:\\d+$", "test:<port>")
                    .replaceFirst("^\\d+u$", "<microseconds left>u");
            lines.append("  " + header.getKey() + ": "
                    + (header.getKey().toString().equals("timeout") ? "<milliseconds left>" : value) + "\n");
        }
        String raw = new String(frame, StandardCharsets.ISO_8859_1);
        for (String name : new String[] {"highway-island", "highway-from"}) {
            int at = raw.indexOf(name) + name.length();
            String value = raw.substring(at + 1, at + 1 + frame[at]);
            lines.append(row(
                    HEX.formatHex(frame, at - name.length() - 2, at - name.length()) + " \"" + name + "\" "
                            + HEX.formatHex(frame, at, at + 1) + " \"" + value + "\"",
                    "a new header as HPACK writes it"));
        }
        return lines.toString();
    }

    private static String data(byte[] frame) {
        StringBuilder lines = new StringBuilder();
        lines.append(row(HEX.formatHex(frame, 0, 4), "DATA, " + (frame.length - 9) + " bytes"));
        lines.append(row(".. " + HEX.formatHex(frame, 5, 9), "stream 3; END_STREAM here, or in an empty DATA frame"));
        lines.append(row(HEX.formatHex(frame, 9, 14), "gRPC: not compressed, length of the message"));
        ByteBuf message = Unpooled.wrappedBuffer(frame, 14, frame.length - 14);
        String[] fields = {"", "how arguments are written", "an argument, as hessian2 writes it", "its type"};
        while (message.isReadable()) {
            int tag = message.readByte();
            byte[] value = new byte[message.readByte()];
            message.readBytes(value);
            lines.append(row(
                    HEX.formatHex(new byte[] {(byte) tag, (byte) value.length}) + " " + text(value), fields[tag >> 3]));
        }
        return lines.toString();
    }

    private static String text(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        int from = 0;
        while (from < bytes.length && bytes[from] < ' ') {
            text.append("%02x ".formatted(bytes[from]));
            from++;
        }
        return text + "\"" + new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8) + "\"";
    }

    private static String row(String bytes, String meaning) {
        return "%-50s %s%n".formatted(bytes, meaning).replace(System.lineSeparator(), "\n");
    }

    /** Reads the body's hessian2: short strings, and the map of attachments. */
    private static final class DubboListing {

        private final byte[] frame;
        private final StringBuilder lines = new StringBuilder();
        private int at = 16;

        DubboListing(byte[] frame) {
            this.frame = frame;
        }

        String lines() {
            add(HEX.formatHex(frame, 0, 2), "magic");
            add(HEX.formatHex(frame, 2, 3), "request, wants an answer, hessian2");
            add(HEX.formatHex(frame, 3, 4), "status, in answers only");
            add(".. .. .. .. .. .. .. ..", "id of the call on this connection");
            add(HEX.formatHex(frame, 12, 16), "length of the rest");
            for (String meaning : new String[] {
                "version of the protocol", "interface", "version of the service", "method", "types", "argument"
            }) {
                add(string(), meaning);
            }
            add(HEX.formatHex(frame, at, ++at), "attachments");
            while (frame[at] != 'Z') {
                String key = string();
                String value = string();
                boolean time = key.endsWith("\"timeout\"");
                add(key + " " + (time ? ".. \"<milliseconds left>\"" : value), "");
            }
            add(HEX.formatHex(frame, at, ++at), "end");
            assertThat(at).isEqualTo(frame.length);
            return lines.toString();
        }

        private void add(String bytes, String meaning) {
            lines.append(row(bytes, meaning).replaceFirst(" +\n$", "\n"));
        }

        private String string() {
            int first = frame[at];
            int prefix = first < 0x20 ? 1 : 2;
            int length = first < 0x20 ? first : (first - 0x30) << 8 | frame[at + 1] & 0xff;
            String shown = HEX.formatHex(frame, at, at + prefix) + " \""
                    + new String(frame, at + prefix, length, StandardCharsets.UTF_8) + "\"";
            at += prefix + length;
            return shown;
        }
    }
}
