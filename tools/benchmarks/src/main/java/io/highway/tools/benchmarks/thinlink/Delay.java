// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import io.highway.tools.processes.ChildProcess;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Delays packets in one direction of the long link: datagrams of VXLAN, each with one Ethernet frame. How many are in flight
 * is up to their senders, as on a long cable. A datagram of eight bytes sets the delay, in nanoseconds, and is returned.
 */
final class Delay {

    /** How many packets may be in flight: 30 MB, for 60 ms at 4 Gbit/s. What is more is dropped. */
    private static final int MOST = 20_000;

    private static final int LARGEST = 2048;
    private static final int BUFFER = 4 << 20;

    private static final int VXLAN = 8;
    private static final int ETHERNET = 14;
    private static final int ETHERTYPE_AT = 12;
    private static final int IPV4 = 0x0800;
    private static final int PROTOCOL_AT = 9;
    private static final int ADDRESSES_AT = 12;
    private static final int TCP = 6;
    private static final int CHECKSUM_AT = 16;
    private static final int BYTE = 0xff;
    private static final int HALF = 0xffff;

    private final DatagramSocket socket;
    private final SocketAddress receiver;
    private final BlockingQueue<Packet> underway = new ArrayBlockingQueue<>(MOST);

    private static final class Packet {

        private final byte[] bytes;
        private final long due;

        Packet(byte[] bytes, long due) {
            this.bytes = bytes;
            this.due = due;
        }
    }

    private Delay(DatagramSocket socket, SocketAddress receiver) {
        this.socket = socket;
        this.receiver = receiver;
    }

    /** Arguments: the address, the port at which packets arrive, and the one at which they are received after the delay. */
    public static void main(String[] arguments) throws IOException {
        ChildProcess.endWithParent();
        DatagramSocket socket = new DatagramSocket(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])));
        socket.setReceiveBufferSize(BUFFER);
        Delay delay = new Delay(socket, new InetSocketAddress(arguments[0], Integer.parseInt(arguments[2])));
        Thread sender = new Thread(delay::send, "sender");
        sender.setDaemon(true);
        sender.start();
        ChildProcess.ready(arguments[1]);
        delay.receive();
    }

    private void receive() throws IOException {
        long delay = 0;
        DatagramPacket packet = new DatagramPacket(new byte[LARGEST], LARGEST);
        while (true) {
            packet.setLength(LARGEST);
            socket.receive(packet);
            long now = System.nanoTime();
            if (packet.getLength() == Long.BYTES) {
                delay = ByteBuffer.wrap(packet.getData()).getLong();
                socket.send(packet);
            } else {
                byte[] bytes = new byte[packet.getLength()];
                System.arraycopy(packet.getData(), 0, bytes, 0, bytes.length);
                boolean unused = underway.offer(new Packet(bytes, now + delay)); // else it is dropped
            }
        }
    }

    private void send() {
        try {
            while (true) {
                Packet packet = underway.take();
                setChecksum(packet.bytes);
                for (long left = packet.due - System.nanoTime(); left > 0; left = packet.due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                socket.send(new DatagramPacket(packet.bytes, packet.bytes.length, receiver));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Linux leaves TCP's checksum to a device, and the device would be the one that this datagram has left. */
    static void setChecksum(byte[] datagram) {
        int ip = VXLAN + ETHERNET;
        if (datagram.length < ip + CHECKSUM_AT
                || half(datagram, VXLAN + ETHERTYPE_AT) != IPV4
                || datagram[ip + PROTOCOL_AT] != TCP) {
            return;
        }
        int tcp = ip + (datagram[ip] & 0xf) * Integer.BYTES;
        int end = ip + half(datagram, ip + 2);
        datagram[tcp + CHECKSUM_AT] = 0;
        datagram[tcp + CHECKSUM_AT + 1] = 0;
        long sum = (long) TCP
                + end
                - tcp
                + sum(datagram, ip + ADDRESSES_AT, ip + ADDRESSES_AT + 2 * Integer.BYTES)
                + sum(datagram, tcp, end);
        while (sum > HALF) {
            sum = (sum & HALF) + (sum >> Short.SIZE);
        }
        datagram[tcp + CHECKSUM_AT] = (byte) (~sum >> Byte.SIZE);
        datagram[tcp + CHECKSUM_AT + 1] = (byte) ~sum;
    }

    private static long sum(byte[] bytes, int from, int to) {
        long sum = 0;
        for (int i = from; i < to - 1; i += 2) {
            sum += half(bytes, i);
        }
        return (to - from) % 2 == 0 ? sum : sum + ((bytes[to - 1] & BYTE) << Byte.SIZE);
    }

    private static int half(byte[] bytes, int at) {
        return ((bytes[at] & BYTE) << Byte.SIZE) | (bytes[at + 1] & BYTE);
    }
}
