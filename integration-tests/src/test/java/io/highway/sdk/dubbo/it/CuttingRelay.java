// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/** Passes HTTP/1.1 on; resets both connections at one byte of a call or of its answer, or sends each call twice. */
final class CuttingRelay implements AutoCloseable {

    private static final int PIECE = 64 * 1024;

    private final ServerSocket server;
    private final InetSocketAddress target;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** How much of the next call, or of its answer, passes; negative if all does. */
    private volatile int requestBytes = -1;

    private volatile int answerBytes = -1;

    private volatile boolean repeats;

    /** The calls that were answered. */
    final BlockingQueue<Exchange> calls = new LinkedBlockingQueue<>();

    /** What the second sending of each call was answered with. */
    final BlockingQueue<String> secondAnswers = new LinkedBlockingQueue<>();

    /** A call and its answer, one character for each byte. */
    record Exchange(String request, String answer) {

        /** With its last line end. */
        static String head(String message) {
            return message.substring(0, message.indexOf("\r\n\r\n") + 4);
        }
    }

    CuttingRelay(String target) {
        int colon = target.lastIndexOf(':');
        this.target = new InetSocketAddress(target.substring(0, colon), Integer.parseInt(target.substring(colon + 1)));
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.execute(this::accept);
    }

    String address() {
        return "gateway.zhejiang.test:" + server.getLocalPort();
    }

    void cutRequest(int bytes) {
        requestBytes = bytes;
        answerBytes = -1;
    }

    void cutAnswer(int bytes) {
        requestBytes = -1;
        answerBytes = bytes;
    }

    void repeatCalls() {
        repeats = true;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                threads.execute(() -> serve(client));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket origin = new Socket(target.getAddress(), target.getPort())) {
            client.setTcpNoDelay(true);
            origin.setTcpNoDelay(true);
            byte[] request = exchangePart(client.getInputStream());
            while (request.length > 0) {
                boolean isCall = request[0] == 'P';
                int passed = isCall ? requestBytes : -1;
                write(origin.getOutputStream(), request, passed);
                if (passed >= 0) {
                    reset(client, origin);
                    return;
                }
                byte[] answer = exchangePart(origin.getInputStream());
                if (isCall) {
                    calls.add(new Exchange(
                            new String(request, StandardCharsets.ISO_8859_1),
                            new String(answer, StandardCharsets.ISO_8859_1)));
                }
                if (isCall && repeats) {
                    write(origin.getOutputStream(), request, -1);
                    secondAnswers.add(new String(exchangePart(origin.getInputStream()), StandardCharsets.ISO_8859_1));
                }
                passed = isCall ? answerBytes : -1;
                write(client.getOutputStream(), answer, passed);
                if (passed >= 0) {
                    reset(client, origin);
                    return;
                }
                request = exchangePart(client.getInputStream());
            }
        } catch (IOException e) {
            // one of them is closed
        }
    }

    private static void write(OutputStream to, byte[] all, int most) throws IOException {
        to.write(all, 0, most < 0 ? all.length : Math.min(most, all.length));
        to.flush();
    }

    private static void reset(Socket client, Socket origin) throws IOException {
        client.setSoLinger(true, 0);
        origin.setSoLinger(true, 0);
    }

    /** A whole request or answer; empty at the end. */
    private static byte[] exchangePart(InputStream in) throws IOException {
        byte[] all = new byte[PIECE];
        int count = 0;
        while (true) {
            int read = in.read(all, count, all.length - count);
            if (read < 0) {
                return new byte[0];
            }
            count += read;
            String text = new String(all, 0, count, StandardCharsets.ISO_8859_1);
            int head = text.indexOf("\r\n\r\n");
            if (head >= 0) {
                int at = text.toLowerCase(Locale.ROOT).indexOf("content-length:");
                int length = at < 0 || at > head
                        ? 0
                        : Integer.parseInt(
                                text.substring(at + 15, text.indexOf('\r', at)).trim());
                if (count >= head + 4 + length) {
                    return Arrays.copyOf(all, count);
                }
            }
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.shutdownNow();
    }
}
