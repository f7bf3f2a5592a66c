// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.tools.fixtures.ports.FreePorts;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.config.ProtocolConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The first frames of nginx, which a Triple server of stock Dubbo 3.3 refuses. */
@Tag("network")
class TripleWindowTest {

    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GO_AWAY = 7;
    private static final int WINDOW_UPDATE = 8;

    @ParameterizedTest
    @CsvSource(
            value = {
                "highway.island, shanghai, true", // the SDK's default
                "highway.enabled, false, false", // plain Dubbo
                "dubbo.protocol.triple.connection-initial-window-size, 65536, false", // the user's own
                "dubbo.protocol.triple.connection-initial-window-size, 65535, true",
            })
    void takesAWindowUpToTheMaximum(String key, String value, boolean taken) throws IOException {
        boolean hasTheFault = Version.getVersion().startsWith("3.3");
        Map<String, String> properties =
                key.startsWith("highway.") ? Map.of(key, value) : Map.of("highway.island", "shanghai", key, value);
        TestApplication application = new TestApplication("shanghai", properties);
        try (Star unused = new Star()) { // ends last what Dubbo keeps in statics
            unused.closing(application);
            String[] address = application.listen("tri").split(":", -1);
            application
                    .export(Shop.class, new ShopKeeper("shanghai"), service -> {})
                    .start();

            assertThat(staysOpen(address[0], Integer.parseInt(address[1]))).isEqualTo(taken || !hasTheFault);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tri", "dubbo"})
    void takesAWindowUpToTheMaximum_whereOnlyTheServiceHasTheProtocol(String name) throws IOException {
        TestApplication application = new TestApplication("shanghai", Map.of("highway.island", "shanghai"));
        ProtocolConfig protocol = new ProtocolConfig(name, FreePorts.next());
        protocol.setHost("shanghai.test");
        protocol.setExtProtocol(name.equals("tri") ? null : "tri,");
        try (Star unused = new Star()) {
            unused.closing(application);
            application
                    .export(Shop.class, new ShopKeeper("shanghai"), service -> service.setProtocol(protocol))
                    .start();

            assertThat(staysOpen("shanghai.test", protocol.getPort())).isTrue();
        }
    }

    /** Rate x round trip of a long link is more than 64 KB; the windows of hundreds of streams are within the limit. */
    @ParameterizedTest
    @CsvSource({"1GB, 262144", "64MB, 131072", "8MB, 65535"})
    void givesAStreamAWindowByTheMemory(String maxBuffered, int window) throws IOException {
        TestApplication application = new TestApplication(
                "shanghai", Map.of("highway.island", "shanghai", "highway.max-buffered", maxBuffered));
        try (Star unused = new Star()) {
            unused.closing(application);
            String[] address = application.listen("tri").split(":", -1);
            application
                    .export(Shop.class, new ShopKeeper("shanghai"), service -> {})
                    .start();

            assertThat(initialWindow(address[0], Integer.parseInt(address[1]))).isEqualTo(window);
        }
    }

    /** That of a server's streams. */
    private static int initialWindow(String host, int port) throws IOException {
        try (Socket socket = new Socket(host, port);
                DataInputStream in = new DataInputStream(socket.getInputStream());
                DataOutputStream out = new DataOutputStream(socket.getOutputStream())) {
            out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            frame(out, SETTINGS, new byte[0]);
            int window = 65_535;
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            assertThat(in.readUnsignedByte()).isEqualTo(SETTINGS);
            in.skipNBytes(5);
            for (int setting = 0; setting < length / 6; setting++) {
                int name = in.readUnsignedShort();
                int value = in.readInt();
                window = name == INITIAL_WINDOW_SIZE ? value : window;
            }
            return window;
        }
    }

    /** Whether a PING is answered after the window was raised as nginx does. */
    static boolean staysOpen(String host, int port) throws IOException {
        try (Socket socket = new Socket(host, port);
                DataInputStream in = new DataInputStream(socket.getInputStream());
                DataOutputStream out = new DataOutputStream(socket.getOutputStream())) {
            out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            frame(out, SETTINGS, new byte[0]);
            frame(out, WINDOW_UPDATE, new byte[] {0x7f, (byte) 0xff, 0, 0}); // 2147418112
            frame(out, PING, new byte[8]);
            while (true) {
                int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
                int type = in.readUnsignedByte();
                int flags = in.readUnsignedByte();
                in.skipNBytes(4L + length);
                if (type == GO_AWAY) {
                    return false;
                }
                if (type == PING && flags == 1) {
                    return true;
                }
            }
        }
    }

    private static void frame(DataOutputStream out, int type, byte[] payload) throws IOException {
        out.writeByte(0);
        out.writeShort(payload.length);
        out.writeByte(type);
        out.writeByte(0);
        out.writeInt(0);
        out.write(payload);
        out.flush();
    }
}
