// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.service;

import org.apache.dubbo.common.stream.StreamObserver;

/** Streams in every direction, over Triple only. */
public interface Streams {

    /** Sends what was ordered; the first four bytes of each message are its number. */
    void send(StreamOrder order, StreamObserver<byte[]> messages);

    /** Answers once, {@code <count> <crc>} over the text of all messages but the first, which is the stream's id. */
    StreamObserver<String> collect(StreamObserver<String> total);

    /** Answers each message but the first, which is the stream's id, by {@code <island> <message>}. */
    StreamObserver<String> repeat(StreamObserver<String> answers);
}
