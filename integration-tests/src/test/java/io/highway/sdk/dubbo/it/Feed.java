// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import org.apache.dubbo.common.stream.StreamObserver;

/** Streams in every direction. */
public interface Feed {

    void count(Integer to, StreamObserver<String> answers);

    StreamObserver<String> join(StreamObserver<String> answers);

    StreamObserver<String> sum(StreamObserver<Integer> answer);
}
