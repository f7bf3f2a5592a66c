// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

/** Where something listens; the name is looked up anew for every connection. */
record Address(String host, int port) {

    /** Reads {@code host:port}; an IPv6 host is in brackets. */
    static Address parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon > 0) {
            String port = text.substring(colon + 1);
            if (port.matches("\\d{1,5}") && Integer.parseInt(port) <= 0xffff) {
                return new Address(text.substring(0, colon), Integer.parseInt(port));
            }
        }
        throw new IllegalArgumentException("'" + text + "' is no address; allowed: host:port");
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
