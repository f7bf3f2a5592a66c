// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What happens on the one connection to a provider that clients share, seen byte by byte. */
@Tag("network")
class SharedConnectionTest {
    private ServerSocket provider;
    private Gateway gateway;

    @BeforeEach
    void start() throws IOException {
        provider = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        provider.setSoTimeout(10_000);
        gateway = Gateway.start(TestProviders.gateway()
                .providers("shanghai", "*", List.of("shanghai.test:" + provider.getLocalPort()), List.of())
                .build());
    }

    @AfterEach
    void stop() throws IOException {
        gateway.closeNow();
        provider.close();
    }

    @Test
    void keepsCallsApart_whenClientsUseTheSameIdsAndAnswersComeInAnyOrder() throws IOException {
        try (Peer one = connect();
                Peer other = connect()) {
            one.send(request(-7, "one"));
            try (Peer upstream = accept()) {
                Frame first = upstream.receive();
                other.send(request(-7, "other"));
                Frame second = upstream.receive();
                assertThat(first.id).isNotEqualTo(second.id);
                assertThat(first.body).isEqualTo(body("one"));

                upstream.send(response(second.id, "to other"));
                upstream.send(response(12345, "to nobody"));
                upstream.send(response(first.id, "to one"));

                assertThat(other.receive()).satisfies(frame -> {
                    assertThat(frame.id).isEqualTo(-7);
                    assertThat(frame.text()).isEqualTo("to other");
                });
                assertThat(one.receive().text()).isEqualTo("to one");
            }
        }
    }

    @Test
    void answersCallsInFlight_whenTheProviderDies() throws IOException {
        try (Peer client = connect()) {
            client.send(request(1, "x"));
            try (Peer upstream = accept()) {
                upstream.receive();
            }

            Frame answer = client.receive();
            assertThat(answer.status).isEqualTo(70);
            assertThat(answer.text()).contains("HIGHWAY-CONNECTION-LOST:");
            client.send(request(2, "y"));
            try (Peer upstream = accept()) {
                assertThat(upstream.receive().body).isEqualTo(body("y"));
            }
        }
    }

    @Test
    void takesANewConnection_whenTheProviderWantsNothingNew() throws IOException {
        try (Peer client = connect()) {
            client.send(request(1, "x"));
            try (Peer upstream = accept()) {
                Frame first = upstream.receive();
                upstream.send(frame(0xa2, 0, 0, new byte[] {1, 'R'}));
                upstream.send(frame(0xe2, 0, 9, new byte[] {'N'}));
                assertThat(upstream.receive().flags).as("answered heartbeat").isEqualTo(0x22);

                client.send(request(2, "y"));
                try (Peer next = accept()) {
                    assertThat(next.receive().body).isEqualTo(body("y"));
                    upstream.send(response(first.id, "late"));
                    assertThat(client.receive().text()).isEqualTo("late");
                }
                assertThat(upstream.in.read()).as("end of the old connection").isEqualTo(-1);
            }
        }
    }

    @Test
    void answersHeartbeatsItself_inTheirSerialization() throws IOException {
        try (Peer client = connect()) {
            client.send(frame(0xe0 | 23, 0, 5, new byte[] {0, 0, 0, 1, (byte) 0xaf}));

            Frame answer = client.receive();
            assertThat(answer.flags).isEqualTo(0x20 | 23);
            assertThat(answer.status).isEqualTo(20);
            assertThat(answer.id).isEqualTo(5);
            assertThat(answer.body).containsExactly(0, 0, 0, 1, 0xaf);
        }
    }

    @Test
    void refusesUnknownSerializations_andDropsTheirOneways() throws IOException {
        try (Peer client = connect()) {
            client.send(frame(0x80 | 22, 0, 3, new byte[] {1, 2}));
            client.send(frame(0xc0 | 22, 0, 4, new byte[] {1, 2}));

            Frame answer = client.receive();
            assertThat(answer.id).isEqualTo(4);
            assertThat(answer.text()).contains("HIGHWAY-NOT-FORWARDED: unreadable serialization id 22");
            assertThat(gateway.stats().refused()).isEqualTo(2);
        }
    }

    @Test
    void stopsReadingAClient_whoseProviderTakesNothing() throws IOException {
        try (Peer client = connect()) {
            client.send(request(1, "x"));
            try (Peer upstream = accept()) {
                upstream.receive();
                Thread writer = new Thread(() -> client.flood(request(2, "z".repeat(1 << 20)), 200));
                writer.setDaemon(true);
                writer.start();

                await().untilAsserted(() -> assertThat(writer.getState()).isEqualTo(Thread.State.RUNNABLE));
                long forwarded = settled();
                assertThat(forwarded).isLessThan(100);
                for (int frame = 0; frame < 200; frame++) {
                    upstream.receive();
                }
                await().until(() -> gateway.stats().forwarded() == 201);
            }
        }
    }

    /** Waits until the count of forwarded calls no longer changes. */
    private long settled() {
        long[] last = {-1};
        await().pollInterval(java.time.Duration.ofMillis(500)).until(() -> {
            long now = gateway.stats().forwarded();
            boolean still = now == last[0] && now > 1;
            last[0] = now;
            return still;
        });
        return last[0];
    }

    @Test
    void closesWhatSpeaksNeitherProtocol() throws IOException {
        try (Peer client = connect()) {
            client.send("SSH-2.0-x\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(client.in.read()).isEqualTo(-1);
        }
    }

    @Test
    void tellsClientsToSendNothingNew_whenItCloses() throws IOException {
        try (Peer client = connect()) {
            client.send(request(1, "x"));
            try (Peer upstream = accept()) {
                Frame call = upstream.receive();
                Thread closing = new Thread(gateway::close);
                closing.start();

                Frame readonly = client.receive();
                assertThat(readonly.flags).isEqualTo(0xa2);
                assertThat(readonly.body).containsExactly(1, 'R');
                client.send(request(2, "late"));
                assertThat(client.receive().text()).contains("HIGHWAY-NOT-FORWARDED: shanghai;draining");
                upstream.send(response(call.id, "done"));
                assertThat(client.receive().text()).isEqualTo("done");
                assertThat(client.in.read()).isEqualTo(-1);
            }
        }
    }

    private Peer connect() throws IOException {
        return new Peer(new Socket(InetAddress.getLoopbackAddress(), gateway.port()));
    }

    private Peer accept() throws IOException {
        return new Peer(provider.accept());
    }

    private static byte[] request(long id, String argument) {
        return frame(0xc2, 0, id, body(argument));
    }

    private static byte[] response(long id, String text) {
        ByteBuf out = Unpooled.buffer();
        string(out, text);
        return frame(2, 20, id, bytes(out));
    }

    private static byte[] body(String argument) {
        ByteBuf out = Unpooled.buffer();
        for (String text : List.of("2.0.2", "com.foo.Sms", "0.0.0", "send", "Ljava/lang/String;", argument)) {
            string(out, text);
        }
        out.writeByte('H');
        string(out, "highway-island");
        string(out, "shanghai");
        out.writeByte('Z');
        return bytes(out);
    }

    /** Hessian 2, in chunks as its writers do. */
    private static void string(ByteBuf out, String text) {
        String rest = text;
        while (rest.length() > 0x8000) {
            out.writeByte('R')
                    .writeShort(0x8000)
                    .writeCharSequence(rest.substring(0, 0x8000), StandardCharsets.US_ASCII);
            rest = rest.substring(0x8000);
        }
        out.writeByte('S').writeShort(rest.length()).writeCharSequence(rest, StandardCharsets.US_ASCII);
    }

    private static byte[] frame(int flags, int status, long id, byte[] body) {
        return bytes(Unpooled.buffer()
                .writeShort(0xdabb)
                .writeByte(flags)
                .writeByte(status)
                .writeLong(id)
                .writeInt(body.length)
                .writeBytes(body));
    }

    private static byte[] bytes(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        return bytes;
    }

    /** One received frame. */
    private static final class Frame {
        private final int flags;
        private final int status;
        private final long id;
        private final byte[] body;

        Frame(int flags, int status, long id, byte[] body) {
            this.flags = flags;
            this.status = status;
            this.id = id;
            this.body = body;
        }

        /** The body, which is one Hessian 2 string. */
        String text() {
            int head = body[0] == 'S' ? 3 : body[0] < 0x20 ? 1 : 2;
            return new String(body, head, body.length - head, StandardCharsets.US_ASCII);
        }
    }

    /** A plain socket on one side of the gateway. */
    private static final class Peer implements AutoCloseable {
        private final Socket socket;
        private final InputStream in;

        Peer(Socket socket) throws IOException {
            this.socket = socket;
            this.in = socket.getInputStream();
            socket.setSoTimeout(10_000);
        }

        void send(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
        }

        void flood(byte[] bytes, int times) {
            try {
                for (int time = 0; time < times; time++) {
                    send(bytes);
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        Frame receive() throws IOException {
            DataInputStream data = new DataInputStream(in);
            assertThat(data.readUnsignedShort()).isEqualTo(0xdabb);
            int flags = data.readUnsignedByte();
            int status = data.readUnsignedByte();
            long id = data.readLong();
            return new Frame(flags, status, id, data.readNBytes(data.readInt()));
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
