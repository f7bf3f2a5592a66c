// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.http;

import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.protocol.dubbo.DubboProtocol;

/** Dubbo's own protocol for connections to gateways by HTTP. It has separate clients: Dubbo shares them by address. */
public final class HttpProtocol extends DubboProtocol {

    /** The extension's name, as a URL's protocol. */
    static final String NAME = "highway-http";

    /** Called by Dubbo. */
    public HttpProtocol(FrameworkModel framework) {
        super(framework);
    }
}
