// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import io.highway.tools.fixtures.ports.FreePorts;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A forward proxy on loopback; every name, whether anything else knows it or not, leads to loopback. */
final class TestProxy implements AutoCloseable {

    /** How it is asked to connect. */
    enum Kind {
        HTTP,
        SOCKS5
    }

    private final Kind kind;
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile ServerSocket listener;
    private volatile String credentials = "";
    private volatile String refusal = "";
    private volatile boolean silent;
    private volatile boolean isKilled;

    TestProxy(Kind kind) throws IOException {
        this.kind = kind;
        listen(FreePorts.next()); // consumers of other tests still ask the address of theirs
    }

    private void listen(int port) throws IOException {
        ServerSocket made = new ServerSocket();
        made.setReuseAddress(true);
        made.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        listener = made;
        Sockets.inBackground(() -> {
            while (true) {
                Socket client = made.accept();
                keep(client);
                Sockets.inBackground(() -> serve(client));
            }
        });
    }

    /** With these before the host, or empty text. */
    String url(String credentialsGiven) {
        return (kind == Kind.HTTP ? "http://" : "socks5://") + credentialsGiven + "127.0.0.1:"
                + listener.getLocalPort();
    }

    /** Demands {@code user:password}. */
    void demand(String userAndPassword) {
        credentials = userAndPassword;
    }

    /** Refuses every request: a status line without its version, or the number of a SOCKS reply; serves if empty. */
    void refuse(String answer) {
        refusal = answer;
    }

    /** Accepts connections and does not answer. */
    void beSilent() {
        silent = true;
    }

    /** Each {@code host:port} that it was asked for; {@code IP} precedes an address that was sent as such. */
    Queue<String> asked() {
        return asked;
    }

    /** Ends as if it was killed. */
    void kill() throws IOException {
        isKilled = true;
        listener.close();
        for (Socket socket : open) {
            reset(socket);
        }
        open.clear();
    }

    /** A connection that is being made when it is killed ends, too. */
    private void keep(Socket socket) throws IOException {
        open.add(socket);
        if (isKilled) {
            reset(socket);
        }
    }

    private static void reset(Socket socket) throws IOException {
        if (!socket.isClosed()) {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }

    /** Listens on the same port again. */
    void restart() throws IOException {
        isKilled = false;
        listen(listener.getLocalPort());
    }

    private void serve(Socket client) throws IOException {
        if (silent) {
            return;
        }
        DataInputStream in = new DataInputStream(client.getInputStream());
        String target = kind == Kind.HTTP ? connect(in, client) : socks(in, client);
        if (target != null) {
            Socket onward = new Socket(InetAddress.getLoopbackAddress(), port(target));
            keep(onward);
            client.getOutputStream().write(accepted());
            Sockets.relay(client, onward);
        } else {
            client.close();
        }
    }

    private byte[] accepted() {
        return kind == Kind.HTTP
                ? "HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.US_ASCII)
                : reply(0);
    }

    private static byte[] reply(int code) {
        return new byte[] {5, (byte) code, 0, 1, 0, 0, 0, 0, 0, 0};
    }

    private static int port(String target) {
        return Integer.parseInt(target.substring(target.lastIndexOf(':') + 1));
    }

    private String connect(DataInputStream in, Socket client) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        String target = head.substring("CONNECT ".length(), head.indexOf(" HTTP/1.1"));
        asked.add(target);
        String basic = Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
        boolean isStranger = !credentials.isEmpty() && head.indexOf("proxy-authorization: Basic " + basic + "\r\n") < 0;
        String status = isStranger ? "407 Proxy Authentication Required" : refusal;
        if (status.isEmpty()) {
            return target;
        }
        client.getOutputStream().write(("HTTP/1.1 " + status + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return null;
    }

    /** RFC 1928, and RFC 1929 for user and password. */
    private String socks(DataInputStream in, Socket client) throws IOException {
        OutputStream out = client.getOutputStream();
        in.readByte();
        byte[] methods = in.readNBytes(in.readUnsignedByte());
        boolean authenticates = !credentials.isEmpty() && methods[methods.length - 1] == 2;
        out.write(new byte[] {5, (byte) (authenticates ? 2 : credentials.isEmpty() ? 0 : 0xff)});
        if (authenticates) {
            in.readByte();
            String user = text(in);
            boolean isKnown = credentials.equals(user + ":" + text(in));
            out.write(new byte[] {1, (byte) (isKnown ? 0 : 1)});
            if (!isKnown) {
                return null;
            }
        }
        in.readNBytes(3);
        boolean isName = in.readByte() == 3;
        String host = isName
                ? text(in)
                : "IP " + InetAddress.getByAddress(in.readNBytes(4)).getHostAddress();
        asked.add(host + ":" + in.readUnsignedShort());
        if (!refusal.isEmpty()) {
            out.write(reply(Integer.parseInt(refusal)));
            return null;
        }
        return asked.stream().reduce((first, last) -> last).orElseThrow();
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        kill();
    }
}
