// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import java.util.List;
import org.apache.dubbo.common.stream.StreamObserver;

/** What the tests call on the other side of a gateway. */
public interface EchoService {
    String echo(String text);

    byte[] bytes(byte[] body);

    String slow(String text, long millis);

    Letter letter(Letter letter);

    void fail(String message) throws LostLetterException;

    void note(String text);

    /** Streams travel on Triple only. */
    interface Streaming {
        void count(int to, StreamObserver<byte[]> numbers);

        StreamObserver<String> collect(StreamObserver<String> summary);

        StreamObserver<String> repeat(StreamObserver<String> echoes);
    }

    /** An argument with some structure. */
    class Letter implements java.io.Serializable {
        private static final long serialVersionUID = 1L;
        public String text = "";
        public @org.jspecify.annotations.Nullable Letter inner;
        public List<String> stamps = new java.util.ArrayList<>();
        public java.util.Map<String, Integer> weights = new java.util.HashMap<>();
    }

    /** A business failure, which must come through with its type. */
    class LostLetterException extends Exception {
        private static final long serialVersionUID = 1L;

        public LostLetterException(String message) {
            super(message);
        }
    }
}
