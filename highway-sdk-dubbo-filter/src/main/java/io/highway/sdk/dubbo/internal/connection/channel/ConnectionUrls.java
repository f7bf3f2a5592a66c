// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.channel;

import io.highway.sdk.dubbo.TrafficClass;
import org.apache.dubbo.common.URL;

/** What the URLs of gateway connections say. */
public final class ConnectionUrls {

    /** The parameter with the class; interactive connections have none. */
    public static final String TRAFFIC_CLASS = "highway-class";

    /** The parameter with how many connections an address has; only URLs of tunnels have it. */
    public static final String CONNECTIONS = "highway-connections";

    private ConnectionUrls() {}

    /** Whether the URL is that of a connection for bulk calls, or of an invoker over one. */
    public static boolean isBulk(URL url) {
        return TrafficClass.BULK.word().equals(url.getParameter(TRAFFIC_CLASS));
    }

    /** Identifies the connections of an address and class. */
    public static String key(URL url) {
        return isBulk(url) ? url.getAddress() + " " + TrafficClass.BULK : url.getAddress();
    }
}
