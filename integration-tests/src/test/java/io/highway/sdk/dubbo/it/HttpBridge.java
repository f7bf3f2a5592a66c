// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server of the HTTP tunnel that passes the frames on to a Dubbo gateway, one connection for each. */
final class HttpBridge implements AutoCloseable {

    private static final int HEADER_BYTES = 16;
    private static final int LENGTH = 12;

    private final InetSocketAddress next;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile Handler handler = (exchange, frame) -> answer(exchange, ask(frame));

    /** The calls so far. */
    final List<Posted> posted = new CopyOnWriteArrayList<>();

    /** A call as it came. */
    record Posted(String path, Map<String, List<String>> headers) {

        String header(String name) {
            return headers.getOrDefault(name, List.of("")).get(0);
        }
    }

    /** Answers a call. */
    interface Handler {

        void handle(HttpExchange exchange, byte[] frame) throws IOException;
    }

    HttpBridge(String dubboGateway) {
        int colon = dubboGateway.indexOf(':');
        next = new InetSocketAddress(
                dubboGateway.substring(0, colon), Integer.parseInt(dubboGateway.substring(colon + 1)));
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/highway/", this::post);
        server.start();
    }

    String address() {
        return "gateway.zhejiang.test:" + server.getAddress().getPort();
    }

    void answers(Handler other) {
        handler = other;
    }

    private void post(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] frame = exchange.getRequestBody().readAllBytes();
            Map<String, List<String>> headers = Map.copyOf(exchange.getRequestHeaders());
            posted.add(new Posted(exchange.getRequestURI().getRawPath(), headers));
            handler.handle(exchange, frame);
        }
    }

    static void answer(HttpExchange exchange, byte[] frame) throws IOException {
        exchange.getResponseHeaders().set("content-type", "application/x-dubbo;charset=UTF-8");
        exchange.sendResponseHeaders(200, frame.length == 0 ? -1 : frame.length);
        exchange.getResponseBody().write(frame);
    }

    /** The answer of the Dubbo gateway; empty to a call without one. */
    byte[] ask(byte[] frame) throws IOException {
        try (Socket socket = new Socket(next.getAddress(), next.getPort())) {
            socket.getOutputStream().write(frame);
            boolean isTwoWay = (frame[2] & 0x40) != 0;
            if (!isTwoWay) {
                return new byte[0];
            }
            DataInputStream input = new DataInputStream(socket.getInputStream());
            byte[] header = input.readNBytes(HEADER_BYTES);
            byte[] body = input.readNBytes(ByteBuffer.wrap(header).getInt(LENGTH));
            return ByteBuffer.allocate(header.length + body.length)
                    .put(header)
                    .put(body)
                    .array();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
