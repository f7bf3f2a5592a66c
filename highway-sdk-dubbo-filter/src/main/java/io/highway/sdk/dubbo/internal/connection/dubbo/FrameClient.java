// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.dubbo.common.URL;
import org.jspecify.annotations.Nullable;

/** The connections to one gateway address that carry frames. Thread-safe. */
public interface FrameClient {

    /** Whether a call can be sent over one. */
    boolean isConnected();

    /** The address of a connection at this end, or null. */
    @Nullable
    InetSocketAddress localAddress();

    /**
     * What is to be written for a request, on this thread.
     *
     * @return whose bytes are to be released by the caller
     * @throws IOException if it cannot be serialised
     */
    FrameBody body(RequestFrame request, URL url) throws IOException;

    /**
     * Where the next call is queued.
     *
     * @throws io.highway.sdk.dubbo.internal.evidence.NotWrittenException if no connection can take it
     */
    FrameCall.Carrier queue();

    /** An invoker that uses it is destroyed. */
    void release();
}
