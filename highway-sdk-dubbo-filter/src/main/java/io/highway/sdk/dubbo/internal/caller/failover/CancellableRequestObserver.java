// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.failover;

import org.apache.dubbo.rpc.protocol.tri.observer.ClientCallToObserverAdapter;

/**
 * The requests of a stream, by which its caller can cancel it: Dubbo tells the observer of the answers nothing of that.
 * Callers and Dubbo cast it to Dubbo's class. As thread-safe as Dubbo's.
 */
final class CancellableRequestObserver<V> extends ClientCallToObserverAdapter<V> {

    private final ClientCallToObserverAdapter<V> requests;
    private final OutboundCall call;

    CancellableRequestObserver(ClientCallToObserverAdapter<V> requests, OutboundCall call) {
        super(null); // each method that uses it is replaced
        this.requests = requests;
        this.call = call;
    }

    @Override
    public void onNext(Object data) {
        call.streamBegins();
        requests.onNext(data);
    }

    @Override
    public void onError(Throwable thrown) {
        try {
            requests.onError(thrown);
        } finally {
            call.abandon();
        }
    }

    @Override
    public void cancel(Throwable thrown) {
        try {
            requests.cancel(thrown);
        } finally {
            call.abandon();
        }
    }

    /** Dubbo sends nothing of a stream without a message, which never has an answer. */
    @Override
    public void onCompleted() {
        requests.onCompleted();
        if (!call.hasStreamBegun()) {
            call.abandon();
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
