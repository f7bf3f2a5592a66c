// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Speaks just enough of the Dubbo protocol: answers heartbeats, keeps calls until the test fails them, and may drain.
 */
final class RawDubboGateway implements AutoCloseable {

    /** What a call is answered with, as an error of the service. */
    static final String ANSWER = "no tea today";

    private static final int HEADER = 16;
    private static final int EVENT = 0x20;
    private static final int REQUEST = 0x80;
    private static final int HESSIAN = 2;
    private static final int OK = 20;
    private static final int SERVICE_ERROR = 70;
    private static final byte[] NULL = {'N'};

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getByName("gateway.zhejiang.test"));
    private final Map<Socket, DataOutputStream> connections = new ConcurrentHashMap<>();
    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

    private record Call(DataOutputStream out, long id) {}

    RawDubboGateway() throws IOException {
        start(() -> {
            while (true) {
                Socket socket = listener.accept();
                start(() -> serve(socket));
            }
        });
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void start(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        Thread.currentThread().interrupt(); // closed
                    }
                },
                "raw-gateway");
        thread.setDaemon(true);
        thread.start();
    }

    private void serve(Socket socket) throws IOException {
        try (socket;
                DataInputStream in = new DataInputStream(socket.getInputStream());
                DataOutputStream out = new DataOutputStream(socket.getOutputStream())) {
            byte[] header = new byte[HEADER];
            while (true) {
                in.readFully(header);
                connections.put(socket, out); // a probe of the port sends nothing
                long id = java.nio.ByteBuffer.wrap(header).getLong(4);
                in.skipNBytes(java.nio.ByteBuffer.wrap(header).getInt(12));
                int flags = header[2] & 0xff;
                if ((flags & REQUEST) == 0) {
                    continue;
                }
                if ((flags & EVENT) != 0) {
                    answerHeartbeat(out, id);
                } else {
                    calls.add(new Call(out, id));
                }
            }
        } finally {
            connections.remove(socket);
        }
    }

    /** As every peer does that speaks the protocol. */
    static void answerHeartbeat(DataOutputStream out, long id) throws IOException {
        write(out, EVENT | HESSIAN, OK, id, NULL);
    }

    private static void write(DataOutputStream out, int flags, int status, long id, byte[] body) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream frame = new DataOutputStream(bytes);
        frame.writeShort(0xdabb);
        frame.writeByte(flags);
        frame.writeByte(status);
        frame.writeLong(id);
        frame.writeInt(body.length);
        frame.write(body);
        synchronized (out) {
            out.write(bytes.toByteArray());
            out.flush();
        }
    }

    private static byte[] text(String text) {
        byte[] characters = text.getBytes(StandardCharsets.US_ASCII);
        byte[] hessian = new byte[characters.length + 1];
        hessian[0] = (byte) characters.length; // short strings begin with their length
        System.arraycopy(characters, 0, hessian, 1, characters.length);
        return hessian;
    }

    int port() {
        return listener.getLocalPort();
    }

    /** How many connections are open over which something has come. */
    long open() {
        return connections.size();
    }

    int calls() {
        return calls.size();
    }

    /** Asks all connections there are to take nothing new. */
    void drain() throws IOException {
        for (DataOutputStream out : connections.values()) {
            write(out, REQUEST | EVENT | HESSIAN, 0, 1, text("R"));
        }
    }

    /** Answers all calls with an error. */
    void answerAll() throws IOException {
        for (Call call = calls.poll(); call != null; call = calls.poll()) {
            write(call.out, HESSIAN, SERVICE_ERROR, call.id, text(ANSWER));
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : connections.keySet()) {
            socket.close();
        }
    }
}
