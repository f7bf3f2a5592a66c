// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.tunnel;

import io.highway.sdk.dubbo.internal.outcome.CallObservation;
import org.apache.dubbo.rpc.protocol.tri.observer.ClientCallToObserverAdapter;

/**
 * The requests of a stream, by which its caller can cancel it: Dubbo tells the observer of the answers nothing of that.
 * Callers and Dubbo cast it to Dubbo's class. As thread-safe as Dubbo's.
 */
final class StreamRequests<V> extends ClientCallToObserverAdapter<V> {

    private final ClientCallToObserverAdapter<V> requests;
    private final CallObservation observation;

    StreamRequests(ClientCallToObserverAdapter<V> requests, CallObservation observation) {
        super(null); // each method that uses it is replaced
        this.requests = requests;
        this.observation = observation;
    }

    @Override
    public void onNext(Object data) {
        observation.streamBegins();
        requests.onNext(data);
    }

    @Override
    public void onError(Throwable thrown) {
        try {
            requests.onError(thrown);
        } finally {
            observation.abandon();
        }
    }

    @Override
    public void cancel(Throwable thrown) {
        try {
            requests.cancel(thrown);
        } finally {
            observation.abandon();
        }
    }

    /** Dubbo sends nothing of a stream without a message, which never has an answer. */
    @Override
    public void onCompleted() {
        requests.onCompleted();
        if (!observation.hasStreamBegun()) {
            observation.abandon();
        }
    }

    @Override
    public boolean isAutoRequestEnabled() {
        return requests.isAutoRequestEnabled();
    }

    @Override
    public void setCompression(String compression) {
        requests.setCompression(compression);
    }

    @Override
    public void request(int count) {
        requests.request(count);
    }

    @Override
    public void disableAutoFlowControl() {
        requests.disableAutoFlowControl();
    }
}
