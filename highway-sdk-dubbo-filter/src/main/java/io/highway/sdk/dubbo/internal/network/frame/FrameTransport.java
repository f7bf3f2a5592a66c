// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.frame;

import java.io.IOException;
import org.apache.dubbo.common.URL;

/** Carries Dubbo frames to one gateway address, over the Dubbo protocol or as bodies of HTTP/1.1. Thread-safe. */
public interface FrameTransport {

    /**
     * What is to be written for a request, on this thread.
     *
     * @return whose bytes are to be released by the caller
     * @throws IOException if it cannot be serialised
     */
    EncodedFrame body(RequestFrame request, URL url) throws IOException;

    /**
     * Where the next call is queued.
     *
     * @throws io.highway.sdk.dubbo.internal.evidence.NotWrittenException if no connection can take it
     */
    FrameCall.Carrier queue();
}
