// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart.service;

import org.apache.dubbo.common.stream.StreamObserver;

/** Names no island: {@code highway.services.<this interface>.island} routes it to beijing. */
public interface NewsService {

    String latest(String topic);

    /** Streams the text word by word, which only Triple can carry. */
    void read(String text, StreamObserver<String> words);
}
