// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.testsupport.ports;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that cannot ask the system for one. They are below those that the system gives to connections, so that none
 * takes one before its server does; and each is locked in a file of this user until this process ends, so that another process
 * does not choose it either.
 */
public final class FreePorts {

    private static final Path SYSTEM_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final int USUAL_END = 32_768;
    private static final int COUNT = 12_000;
    private static final int LOWEST_END = COUNT + 1_024;

    private static final FreePorts ALL = open();

    private final FileChannel locks;
    private final int end;
    private final Set<Integer> handedOut = new HashSet<>();

    private FreePorts(FileChannel locks, int end) {
        this.locks = locks;
        this.end = end;
    }

    private static FreePorts open() {
        Path file = Path.of(System.getProperty("java.io.tmpdir"), "ports-of-tests-" + System.getProperty("user.name"));
        try {
            FileChannel locks = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            return new FreePorts(locks, end());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The start of the system's ephemeral ports, unless they leave none free. */
    private static int end() throws IOException {
        if (!Files.exists(SYSTEM_RANGE)) {
            return USUAL_END;
        }
        int systems = Integer.parseInt(Files.readString(SYSTEM_RANGE).strip().split("\\s+", -1)[0]);
        return systems < LOWEST_END ? USUAL_END : systems;
    }

    /** A port that is free now, and never the same twice. */
    public static int next() {
        try {
            return ALL.choose();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** This port if it is free, otherwise another. */
    public static int prefer(int port) {
        try {
            return ALL.take(port) ? port : next();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized int choose() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(end - COUNT, end);
            if (take(port)) {
                return port;
            }
        }
    }

    private synchronized boolean take(int port) throws IOException {
        return handedOut.add(port) && lock(port) && isFree(port);
    }

    private boolean lock(int port) throws IOException {
        try {
            return locks.tryLock(port, 1, false) != null;
        } catch (OverlappingFileLockException e) { // this class, loaded once more in this process
            return false;
        }
    }

    private static boolean isFree(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (BindException e) {
            return false;
        }
    }
}
