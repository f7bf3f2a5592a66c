// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart.service;

import org.apache.dubbo.common.stream.StreamObserver;

/** Knows nothing of islands: {@code highway.services.<this interface>.island} sends it to beijing. */
public interface NewsService {

    String latest(String topic);

    /** Streams, which Triple alone can carry: the text word by word. */
    void read(String text, StreamObserver<String> words);
}
