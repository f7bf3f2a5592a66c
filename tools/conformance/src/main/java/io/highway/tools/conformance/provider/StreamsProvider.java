// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.provider;

import io.highway.tools.conformance.service.BrokenException;
import io.highway.tools.conformance.service.Parcel;
import io.highway.tools.conformance.service.StreamOrder;
import io.highway.tools.conformance.service.Streams;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcContext;
import org.jspecify.annotations.Nullable;

record StreamsProvider(String island, Journal journal) implements Streams {

    @Override
    public void send(StreamOrder order, StreamObserver<byte[]> messages) {
        String id = order.id();
        journal.executed(id);
        AtomicBoolean cancelled = new AtomicBoolean();
        RpcContext.getCancellationContext().addListener(context -> {
            if (cancelled.compareAndSet(false, true)) {
                journal.happened(id, "cancelled");
            }
        });
        Thread thread = new Thread(() -> send(order, messages, cancelled), "stream-" + id);
        thread.setDaemon(true);
        thread.start();
    }

    private void send(StreamOrder order, StreamObserver<byte[]> messages, AtomicBoolean cancelled) {
        try {
            for (int number = 0; number < order.messages() && !cancelled.get(); number++) {
                if (number > 0 && order.millisBetween() > 0) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(order.millisBetween()));
                }
                byte[] message = new byte[order.bytes()];
                ByteBuffer.wrap(message).putInt(number);
                messages.onNext(message);
            }
            if (order.fails()) {
                messages.onError(new BrokenException(
                        "stream broken in " + island + "", 7, new Parcel(island, 7, List.of(), null)));
            } else {
                messages.onCompleted();
            }
            journal.happened(order.id(), "sent");
        } catch (RuntimeException e) {
            journal.happened(order.id(), "failed " + e);
        }
    }

    @Override
    public StreamObserver<String> collect(StreamObserver<String> total) {
        return new Receiver() {
            private final CRC32 crc = new CRC32();
            private int count;

            @Override
            void next(String text) {
                count++;
                crc.update(text.getBytes(StandardCharsets.UTF_8));
            }

            @Override
            void end() {
                total.onNext(count + " " + crc.getValue());
                total.onCompleted();
            }
        };
    }

    @Override
    public StreamObserver<String> repeat(StreamObserver<String> answers) {
        return new Receiver() {
            @Override
            void next(String text) {
                answers.onNext(island + " " + text);
            }

            @Override
            void end() {
                answers.onCompleted();
            }
        };
    }

    /** What both kinds of uploads have in common: the first message is the stream's id. */
    private abstract class Receiver implements StreamObserver<String> {

        private @Nullable String id;

        abstract void next(String text);

        abstract void end();

        @Override
        public void onNext(String text) {
            if (id == null) {
                id = text;
                journal.executed(text);
            } else {
                next(text);
            }
        }

        @Override
        public void onError(Throwable failure) {
            journal.happened(String.valueOf(id), "cancelled");
        }

        @Override
        public void onCompleted() {
            end();
            journal.happened(String.valueOf(id), "completed");
        }
    }
}
