// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy;

/**
 * The ports of the hub, on loopback.
 *
 * @param http of version 1
 * @param dubbo of the tunnel of this name
 * @param triple of the tunnel of this name
 */
record Hub(int http, int dubbo, int triple) {

    String httpAddress() {
        return address(http);
    }

    String dubboAddress() {
        return address(dubbo);
    }

    String tripleAddress() {
        return address(triple);
    }

    private static String address(int port) {
        return "gateway.hub.test:" + port;
    }
}
