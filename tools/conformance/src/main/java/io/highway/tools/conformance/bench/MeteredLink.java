// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A TCP link on loopback that counts bytes and can be paused: then it reads nothing from either side, as a slow reader.
 * Thread-safe.
 */
public final class MeteredLink implements AutoCloseable {

    private static final int CHUNK = 64 << 10;
    private static final int RECEIVE_BUFFER = 256 << 10;
    private static final long PAUSE_NANOS = 5_000_000;

    private final ServerSocket listener;
    private final String host;
    private final int port;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicLong bytesThere = new AtomicLong();
    private final AtomicLong bytesBack = new AtomicLong();
    private final AtomicInteger connections = new AtomicInteger();
    private volatile boolean paused;

    /** Listens on a free port; the target is {@code host:port}. */
    public MeteredLink(String target) throws IOException {
        int colon = target.lastIndexOf(':');
        this.host = target.substring(0, colon);
        this.port = Integer.parseInt(target.substring(colon + 1));
        this.listener = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        thread("accept", this::accept);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                connections.incrementAndGet();
                connect(client);
            } catch (IOException e) {
                // it is closed, and that ends the loop
            }
        }
    }

    private void connect(Socket client) {
        sockets.add(client);
        thread("connect", () -> {
            try {
                Socket server = new Socket();
                sockets.add(server);
                server.setReceiveBufferSize(RECEIVE_BUFFER); // the system would let it grow to megabytes
                server.connect(new InetSocketAddress(host, port));
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                thread("back", () -> pass(server, client, bytesBack));
                pass(client, server, bytesThere);
            } catch (IOException e) {
                end(client);
            }
        });
    }

    private void pass(Socket from, Socket to, AtomicLong count) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] chunk = new byte[CHUNK];
            for (int size = in.read(chunk); size >= 0; size = in.read(chunk)) {
                count.addAndGet(size);
                out.write(chunk, 0, size);
                while (paused) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        } catch (IOException e) {
            // as good as its end
        } finally {
            end(from);
            end(to);
        }
    }

    private void end(Socket socket) {
        sockets.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            // gone anyway
        }
    }

    private static void thread(String name, Runnable task) {
        Thread thread = new Thread(task, "link-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Where it listens, on loopback. */
    public int port() {
        return listener.getLocalPort();
    }

    /** How many connections have been made. */
    public int connections() {
        return connections.get();
    }

    /** How many bytes have gone to the target. */
    public long bytesThere() {
        return bytesThere.get();
    }

    /** How many bytes have come from the target. */
    public long bytesBack() {
        return bytesBack.get();
    }

    /** Stops reading. */
    public void pause() {
        paused = true;
    }

    /** Resumes reading. */
    public void resume() {
        paused = false;
    }

    @Override
    public void close() {
        resume();
        try {
            listener.close();
        } catch (IOException e) {
            // gone anyway
        }
        sockets.forEach(this::end);
    }
}
