// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.attacker;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;

/** Sends recorded bytes again. */
public final class Replayer {

    private static final int MILLIS = 20_000;
    private static final int IDLE_MILLIS = 500;
    private static final int BUFFER = 4096;
    private static final int HEADER = 16;
    private static final int FLAGS = 2;
    private static final int LENGTH = 12;
    private static final int REQUEST = 0x80;
    private static final int BATCH = 50;

    private Replayer() {}

    /** Sends a frame so many times over one connection to a port of loopback, and waits for the answers. */
    public static void send(int port, Frame frame, int times) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(MILLIS);
            OutputStream out = socket.getOutputStream();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            int sent = 0;
            while (sent < times) {
                int batch = Math.min(BATCH, times - sent);
                for (int i = 0; i < batch; i++) {
                    out.write(frame.bytes(1_000_000L + sent + i));
                }
                out.flush();
                for (int answers = 0; answers < batch; ) {
                    answers += isAnswer(in) ? 1 : 0;
                }
                sent += batch;
            }
        }
    }

    private static boolean isAnswer(DataInputStream in) throws IOException {
        byte[] header = in.readNBytes(HEADER);
        if (header.length < HEADER) {
            throw new EOFException("the connection was closed");
        }
        int length = ByteBuffer.wrap(header).getInt(LENGTH);
        in.skipNBytes(length);
        return (header[FLAGS] & REQUEST) == 0;
    }

    /** Sends all that was recorded over a connection once more, over a separate connection; reads until it is quiet. */
    public static void sendConnection(int port, byte[] recorded) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(IDLE_MILLIS);
            socket.getOutputStream().write(recorded);
            socket.getOutputStream().flush();
            byte[] buffer = new byte[BUFFER];
            try {
                while (socket.getInputStream().read(buffer) >= 0) {
                    // until nothing comes any more
                }
            } catch (SocketTimeoutException e) {
                // quiet
            }
        }
    }
}
