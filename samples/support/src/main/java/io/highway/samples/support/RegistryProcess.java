// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.support;

import org.apache.curator.test.TestingServer;

/** Home's registry: a ZooKeeper on a free port. */
final class RegistryProcess {

    private RegistryProcess() {}

    public static void main(String[] arguments) throws Exception {
        ChildProcess.endWithParent();
        try (TestingServer zookeeper = new TestingServer()) {
            ChildProcess.ready(String.valueOf(zookeeper.getPort()));
            Thread.currentThread().join(); // until the process is ended
        }
    }
}
