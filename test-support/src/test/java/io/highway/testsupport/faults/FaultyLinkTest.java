// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.testsupport.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("network")
class FaultyLinkTest {

    private static final int SHORT_MILLIS = 200;
    private static final int LONG_MILLIS = 5000;

    private final FaultyLinks links = new FaultyLinks();
    private final List<Closeable> opened = new ArrayList<>();
    private ServerSocket target;
    private FaultyLink link;

    @BeforeEach
    void start() throws IOException {
        target = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        link = links.link(0, target.getLocalPort());
    }

    @AfterEach
    void stop() throws IOException {
        for (Closeable socket : opened) {
            socket.close();
        }
        links.close();
        target.close();
    }

    @Test
    void passesBothWays() throws IOException {
        Socket client = connect();
        Socket server = accept();
        assertPasses(client, server);
        assertPasses(server, client);
    }

    @Test
    void countsWhatPasses() throws IOException {
        Socket client = connect();
        Socket server = accept();
        assertPasses(client, server);
        assertPasses(client, server);
        assertPasses(server, client);

        assertThat(link.traffic().toTarget().sum())
                .isEqualTo(2 * link.traffic().toClients().sum())
                .isPositive();
    }

    @Test
    void closesTheOtherSide_whenOneCloses() throws IOException {
        Socket client = connect();
        Socket server = accept();
        server.close();

        assertThat(client.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void passesAgain_whenABlackHoleHeals() throws IOException {
        Socket client = connect();
        Socket server = accept();
        link.blackHole();
        client.getOutputStream().write('x');
        assertSilent(server);

        link.heal();

        assertThat(server.getInputStream().read()).isEqualTo('x');
        assertPasses(server, client);
    }

    @Test
    void acceptsConnections_whenABlackHole() throws IOException {
        link.blackHole();

        Socket client = connect();
        assertSilent(client);
    }

    @Test
    void resetsBothSides() throws IOException {
        Socket client = connect();
        Socket server = accept();
        assertPasses(client, server);

        link.reset();

        assertReset(client);
        assertReset(server);
    }

    @Test
    void resetsAgainAndAgain_untilHealed() throws IOException {
        link.resetEvery(Duration.ofMillis(10));
        assertReset(connect());
        assertReset(connect());

        link.heal();

        await().atMost(Duration.ofSeconds(5)).ignoreExceptions().untilAsserted(() -> assertPasses(connect(), accept()));
    }

    @Test
    void resetsTheClient_whenTheTargetDoesNotListen() throws IOException {
        target.close();

        Socket client = connect();
        assertReset(client);
    }

    @Test
    void refusesNewConnectionsOnly() throws IOException {
        Socket client = connect();
        Socket server = accept();
        link.refuse();

        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        assertPasses(client, server);
        link.heal();
        assertThat(connect().isConnected()).isTrue();
    }

    @Test
    void deliversEveryByteInOrder_whenDelayedAndThenBytewise() throws IOException {
        Socket client = connect();
        Socket server = accept();
        long delay = Duration.ofMillis(100).toNanos();
        link.delay(Duration.ofNanos(delay));
        long begun = System.nanoTime();

        send(client, "slow ");
        assertThat(receive(server, 5)).isEqualTo("slow ");
        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(delay);

        link.bytewise();
        send(client, "and thin");
        assertThat(receive(server, 8)).isEqualTo("and thin");
    }

    @Test
    void closesOrForgetsConnections_whenIdle() throws IOException {
        Socket client = connect();
        Socket server = accept();
        assertPasses(client, server);
        link.closeIdle(Duration.ofMinutes(1));
        assertPasses(client, server);

        link.forgetIdle(Duration.ZERO);
        send(client, "x");
        assertSilent(server);
        link.heal();
        assertSilent(server);

        link.closeIdle(Duration.ZERO);
        assertThat(client.getInputStream().read()).isEqualTo(-1);
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), link.port());
        opened.add(socket);
        socket.setSoTimeout(LONG_MILLIS);
        return socket;
    }

    private Socket accept() throws IOException {
        Socket socket = target.accept();
        opened.add(socket);
        socket.setSoTimeout(LONG_MILLIS);
        return socket;
    }

    private static void assertPasses(Socket from, Socket to) throws IOException {
        send(from, "hello");
        assertThat(receive(to, 5)).isEqualTo("hello");
    }

    private static void assertSilent(Socket socket) throws IOException {
        socket.setSoTimeout(SHORT_MILLIS);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(LONG_MILLIS);
    }

    private static void assertReset(Socket socket) {
        assertThatThrownBy(() -> socket.getInputStream().read())
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String receive(Socket socket, int length) throws IOException {
        return new String(socket.getInputStream().readNBytes(length), StandardCharsets.US_ASCII);
    }
}
