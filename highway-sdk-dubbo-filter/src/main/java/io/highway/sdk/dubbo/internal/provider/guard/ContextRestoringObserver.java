// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.HighwayContext;
import io.highway.sdk.HighwayScope;
import org.apache.dubbo.common.stream.StreamObserver;

/**
 * Runs a service's observer of a stream in the context of the stream's call; Dubbo may use a different thread for each
 * message.
 */
record ContextRestoringObserver<T>(HighwayContext context, StreamObserver<T> service) implements StreamObserver<T> {

    @Override
    public void onNext(T message) {
        inContext(() -> service.onNext(message));
    }

    @Override
    public void onError(Throwable error) {
        inContext(() -> service.onError(error));
    }

    @Override
    public void onCompleted() {
        inContext(service::onCompleted);
    }

    private void inContext(Runnable received) {
        HighwayScope scope = context.open();
        try {
            received.run();
        } finally {
            scope.close();
        }
    }
}
