// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A gateway in a test: passes on the bytes of each connection to one provider. Thread-safe. */
final class Relay {

    private static final int LOWEST_PORT = 10_000;

    /** Of one process. All are below those of connections, which begin at 32768 on Linux unless it is configured. */
    private static final int PORTS = 200;

    private static final int PROCESSES = 50;

    private static final ServerSocket FIRST_PORT = reserve();
    private static final AtomicInteger NEXT_PORT = new AtomicInteger();

    private final int provider;
    private final int port;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private @Nullable ServerSocket server;

    /** @param provider the port of a provider of this process */
    Relay(int provider) {
        this.provider = provider;
        this.port = listen(freePort());
    }

    /** The first of some ports that other processes of tests leave alone while this one listens on it. */
    private static ServerSocket reserve() {
        for (int tries = 0; tries < PORTS; tries++) {
            try {
                return new ServerSocket(
                        LOWEST_PORT + PORTS * ThreadLocalRandom.current().nextInt(PROCESSES));
            } catch (IOException e) {
                // another process has them
            }
        }
        throw new IllegalStateException("no ports are free");
    }

    /** A free port, which neither a connection nor another process of tests takes before a server does. */
    static int freePort() {
        for (int tries = 0; tries < PORTS; tries++) {
            int port = FIRST_PORT.getLocalPort() + 1 + Math.floorMod(NEXT_PORT.getAndIncrement(), PORTS - 1);
            try (ServerSocket server = new ServerSocket(port)) {
                return server.getLocalPort();
            } catch (IOException e) {
                // it is taken
            }
        }
        throw new IllegalStateException("no port is free");
    }

    /** {@code host:port}. */
    String address() {
        return "127.0.0.1:" + port;
    }

    private synchronized int listen(int wanted) {
        try {
            ServerSocket listening = new ServerSocket();
            listening.setReuseAddress(true);
            listening.bind(new InetSocketAddress(wanted)); // any address: Dubbo replaces that of the loopback interface
            server = listening;
            start(() -> accept(listening));
            return listening.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException("a gateway of the test cannot listen on port " + wanted, e);
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "highway-test-relay");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept(ServerSocket listening) {
        while (!listening.isClosed()) {
            try {
                connect(listening, listening.accept());
            } catch (IOException e) {
                // it is closed
            }
        }
    }

    private void connect(ServerSocket listening, Socket caller) {
        try {
            Socket called = new Socket(InetAddress.getLoopbackAddress(), provider);
            open.addAll(List.of(caller, called));
            start(() -> pass(caller, called));
            start(() -> pass(called, caller));
            if (listening.isClosed()) { // meanwhile
                closeQuietly(caller);
            }
        } catch (IOException e) { // the provider has ended
            closeQuietly(caller);
        }
    }

    private void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.setTcpNoDelay(true);
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // one of them is closed
        } finally {
            open.remove(from);
        }
    }

    /** Accepts no connection, and ends those that are open. */
    synchronized void down() {
        ServerSocket listening = server;
        server = null;
        if (listening != null) {
            closeQuietly(listening);
            open.forEach(Relay::closeQuietly);
            open.clear();
        }
    }

    private static void closeQuietly(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            // it is of no use any more
        }
    }

    /** Accepts connections again. */
    synchronized void up() {
        if (server == null) {
            int unused = listen(port);
        }
    }
}
