// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart.provider;

import io.highway.samples.quickstart.service.NewsService;
import org.apache.dubbo.common.stream.StreamObserver;

final class NewsProvider implements NewsService {

    private final Stamp stamp;

    NewsProvider(String island) {
        this.stamp = new Stamp(island);
    }

    @Override
    public String latest(String topic) {
        return stamp.on(topic);
    }

    @Override
    public void read(String text, StreamObserver<String> words) {
        for (String word : stamp.on(text).split(" ", -1)) {
            words.onNext(word);
        }
        words.onCompleted();
    }
}
