// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A peer without Dubbo: it runs every call of the Dubbo protocol, counts it, and answers with a given error frame. */
final class RawDubboPeer implements AutoCloseable {

    private static final int TWO_WAY_CALL = 0x40;
    private static final int TWO_WAY_EVENT = 0x60;

    final AtomicInteger executed = new AtomicInteger();
    private final ServerSocket listener;
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
    private volatile Answer answer;

    /** How many calls it answers; on others it closes their connection. */
    volatile int answers = Integer.MAX_VALUE;

    /** How many of the calls before each it answers, too, wherever those went. */
    volatile int answersBefore;

    /** The status byte and the text of an error frame. */
    record Answer(byte status, String words) {}

    RawDubboPeer(String host) throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.getByName(host));
        start(() -> {
            while (true) {
                Socket client = listener.accept();
                clients.add(client);
                start(() -> answerAll(client));
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
                        Thread.currentThread().interrupt(); // closed, or the caller has gone
                    }
                },
                "raw-dubbo-peer");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return listener.getLocalPort();
    }

    /** How it answers from now on. */
    void answer(int status, String words) {
        answer = new Answer((byte) status, words);
    }

    private void answerAll(Socket client) throws IOException {
        try (client;
                DataInputStream in = new DataInputStream(client.getInputStream());
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(client.getOutputStream()))) {
            while (true) {
                in.readShort(); // magic
                int kind = in.readByte() & TWO_WAY_EVENT;
                in.readByte();
                long id = in.readLong();

                in.skipNBytes(in.readInt());
                if (kind == TWO_WAY_EVENT) {
                    RawDubboGateway.answerHeartbeat(out, id);
                } else if (kind == TWO_WAY_CALL) {
                    if (executed.incrementAndGet() > answers) {
                        return;
                    }
                    for (long before = id - answersBefore; before < id; before++) {
                        write(out, before, answer);
                    }
                    if (answer != null) {
                        write(out, id, answer);
                    }
                }
            }
        } finally {
            clients.remove(client);
        }
    }

    private static void write(DataOutputStream out, long id, Answer answer) throws IOException {
        byte[] text = answer.words().getBytes(StandardCharsets.US_ASCII);
        out.writeShort(0xdabb);
        out.writeByte(2); // a response in hessian2
        out.writeByte(answer.status());
        out.writeLong(id);
        out.writeInt(text.length + 2);
        out.writeByte(0x30 + (text.length >> 8)); // a string of up to 1023 characters
        out.writeByte(text.length);
        out.write(text);
        out.flush();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket client : clients) {
            client.close();
        }
    }
}
