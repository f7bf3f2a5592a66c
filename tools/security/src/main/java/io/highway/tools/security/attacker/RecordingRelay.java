// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.attacker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Somebody between a caller and its gateway: forwards connections, and records what callers send. */
public final class RecordingRelay implements AutoCloseable {

    private static final int BUFFER = 8192;

    private final ServerSocket server;
    private final int target;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final List<ByteArrayOutputStream> recorded = new ArrayList<>();

    private RecordingRelay(ServerSocket server, int target) {
        this.server = server;
        this.target = target;
    }

    /** Forwards to a port of loopback. */
    public static RecordingRelay start(int target) throws IOException {
        RecordingRelay relay = new RecordingRelay(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
        relay.run("accept", relay::accept);
        return relay;
    }

    /** Where it listens. */
    public int port() {
        return server.getLocalPort();
    }

    /** What callers have sent over each connection so far. */
    public List<byte[]> recorded() {
        synchronized (recorded) {
            return recorded.stream().map(ByteArrayOutputStream::toByteArray).toList();
        }
    }

    private void accept() throws IOException {
        while (true) {
            Socket caller = server.accept();
            Socket gateway = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(caller);
            sockets.add(gateway);
            ByteArrayOutputStream record = new ByteArrayOutputStream();
            synchronized (recorded) {
                recorded.add(record);
            }
            run("requests", () -> copy(caller.getInputStream(), gateway.getOutputStream(), record));
            run("answers", () -> copy(gateway.getInputStream(), caller.getOutputStream(), null));
        }
    }

    private void copy(InputStream from, OutputStream to, @Nullable ByteArrayOutputStream record) throws IOException {
        byte[] buffer = new byte[BUFFER];
        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
            if (record != null) {
                synchronized (recorded) {
                    record.write(buffer, 0, read);
                }
            }
            to.write(buffer, 0, read);
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private void run(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // one side is gone
                    }
                },
                "relay-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
