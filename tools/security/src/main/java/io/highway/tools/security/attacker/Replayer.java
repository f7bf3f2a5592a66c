// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.attacker;

import io.highway.sdk.dubbo.internal.network.frame.FrameHeader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** Sends recorded bytes again. */
public final class Replayer {

    private static final int MILLIS = 20_000;
    private static final int IDLE_MILLIS = 500;
    private static final int BUFFER = 4096;
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
        byte[] bytes = in.readNBytes(FrameHeader.HEADER_BYTES);
        if (bytes.length < FrameHeader.HEADER_BYTES) {
            throw new EOFException("the connection was closed");
        }
        ByteBuf header = Unpooled.wrappedBuffer(bytes);
        in.skipNBytes(FrameHeader.bytes(header, 0) - FrameHeader.HEADER_BYTES);
        return FrameHeader.isAnswer(header, 0);
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
