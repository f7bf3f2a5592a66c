// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import io.highway.tools.fixtures.ports.FreePorts;
import org.apache.curator.test.TestingServer;

/** An embedded, real ZooKeeper. */
final class RegistryServer implements AutoCloseable {

    private final TestingServer server;

    RegistryServer() {
        try {
            server = new TestingServer(FreePorts.next(), true);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    String url() {
        return "zookeeper://registry.test:" + server.getPort();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
