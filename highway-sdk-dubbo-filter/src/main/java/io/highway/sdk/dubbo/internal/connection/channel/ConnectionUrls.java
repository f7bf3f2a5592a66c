// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.channel;

import io.highway.sdk.dubbo.TrafficClass;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;

/**
 * The traffic class of gateway connections, as a parameter of their URLs. Dubbo shares the connections of its own
 * protocol, which the HTTP tunnel uses, too, by {@code host:port} ({@code DubboProtocol#getSharedClient}), so those of bulk calls are shared under another
 * host, which nothing connects to and which never leaves the process.
 */
public final class ConnectionUrls {

    /** The parameter with the class; interactive connections have none. */
    public static final String TRAFFIC_CLASS = "highway-class";

    private static final String BULK_HOST = "bulk.";

    private ConnectionUrls() {}

    /** Whether the URL is that of a connection for bulk calls, or of an invoker over one. */
    public static boolean isBulk(URL url) {
        return TrafficClass.BULK.word().equals(url.getParameter(TRAFFIC_CLASS));
    }

    /** Identifies the connections of an address and class. */
    public static String key(URL url) {
        return isBulk(url) ? url.getAddress() + " " + TrafficClass.BULK : url.getAddress();
    }

    /** The URL under which Dubbo shares a connection. */
    public static URL toShare(URL url) {
        return isBulk(url) && !CommonConstants.TRIPLE.equals(url.getProtocol())
                ? url.setHost(BULK_HOST + url.getHost())
                : url;
    }

    /** The URL to connect to, from the one under which Dubbo shares the connection. */
    public static URL toConnect(URL shared) {
        return isBulk(shared) && shared.getHost().startsWith(BULK_HOST)
                ? shared.setHost(shared.getHost().substring(BULK_HOST.length()))
                : shared;
    }
}
