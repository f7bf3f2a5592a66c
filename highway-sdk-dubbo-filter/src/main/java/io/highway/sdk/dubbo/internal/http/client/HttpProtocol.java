// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.client;

import io.highway.sdk.dubbo.internal.connection.call.TunnelProtocol;
import io.highway.sdk.dubbo.internal.connection.dubbo.FrameInvoker;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invoker;

/** The invokers of the HTTP tunnel. */
public final class HttpProtocol extends TunnelProtocol {

    @Override
    public <T> Invoker<T> refer(Class<T> type, URL url) {
        return new FrameInvoker<>(type, url, HttpClient.of(url));
    }
}
