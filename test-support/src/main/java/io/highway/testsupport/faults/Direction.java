// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.testsupport.faults;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** One direction of a connection: reads from one side and writes to the other, subject to the condition. */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed write by closing the channel
final class Direction extends ChannelInboundHandlerAdapter {

    private final Relay relay;
    private final Channel from;
    private final Channel to;
    private final LongAdder bytes;
    private final Deque<Packet> waiting = new ArrayDeque<>();
    private long lastDue = System.nanoTime();
    private boolean pumpsLater;
    private boolean ended;

    private record Packet(ByteBuf bytes, long due) {}

    Direction(Relay relay, Channel from, Channel to, LongAdder bytes) {
        this.relay = relay;
        this.from = from;
        this.to = to;
        this.bytes = bytes;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        relay.touch();
        int size = ((ByteBuf) message).readableBytes();
        bytes.add(size);
        long due = System.nanoTime() + relay.condition().delay().toNanos();
        lastDue = due - lastDue > 0 ? due : lastDue; // a shorter delay never lets bytes overtake
        lastDue += relay.condition().nanos(size);
        waiting.add(new Packet((ByteBuf) message, lastDue));
        pump();
    }

    /** Writes what is due, and continues to read if the condition allows. */
    void pump() {
        if (!to.isOpen()) { // what was read in the same pass as a reset, or after it
            drop();
        }
        boolean blocked = relay.condition().blocked();
        while (!blocked && !waiting.isEmpty() && to.isWritable()) {
            boolean fine = relay.condition().equals(Condition.FINE);
            long early = fine ? 0 : waiting.element().due - System.nanoTime();
            if (early > 0) {
                pumpLater(early);
                break;
            }
            write(waiting.remove().bytes);
        }
        if (ended && waiting.isEmpty() && !blocked) {
            to.close();
        }
        from.config().setAutoRead(!blocked && to.isWritable());
    }

    private void pumpLater(long nanos) {
        if (!pumpsLater) {
            pumpsLater = true;
            from.eventLoop()
                    .schedule(
                            () -> {
                                pumpsLater = false;
                                pump();
                            },
                            nanos,
                            TimeUnit.NANOSECONDS);
        }
    }

    private void write(ByteBuf bytes) {
        if (relay.condition().bytewise()) {
            while (bytes.isReadable()) {
                to.writeAndFlush(bytes.readRetainedSlice(1));
            }
            bytes.release();
        } else {
            to.writeAndFlush(bytes);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        relay.pump();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ended = true;
        pump();
    }

    /** A side that resets its connection has the other side reset, too. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        relay.reset();
    }

    void drop() {
        waiting.forEach(packet -> packet.bytes.release());
        waiting.clear();
    }
}
