// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.client;

import io.highway.sdk.dubbo.internal.connection.dubbo.FrameClient;
import io.highway.sdk.dubbo.internal.connection.dubbo.FrameProtocol;
import org.apache.dubbo.common.URL;

/** The invokers of the HTTP tunnel. */
public final class HttpProtocol extends FrameProtocol {

    @Override
    protected FrameClient client(URL url) {
        return HttpClient.of(url);
    }
}
