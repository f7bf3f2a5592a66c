// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.guard;

import io.highway.sdk.HighwayContext;
import io.highway.sdk.HighwayScope;
import org.apache.dubbo.common.stream.StreamObserver;

/**
 * Runs a service's observer of a stream in the context of the stream's call; Dubbo may use a different thread for each
 * message.
 */
record ServedStream<T>(HighwayContext context, StreamObserver<T> service) implements StreamObserver<T> {

    @Override
    public void onNext(T message) {
        HighwayScope scope = context.open();
        try {
            service.onNext(message);
        } finally {
            scope.close();
        }
    }

    @Override
    public void onError(Throwable error) {
        HighwayScope scope = context.open();
        try {
            service.onError(error);
        } finally {
            scope.close();
        }
    }

    @Override
    public void onCompleted() {
        HighwayScope scope = context.open();
        try {
            service.onCompleted();
        } finally {
            scope.close();
        }
    }
}
