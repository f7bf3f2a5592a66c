// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.support;

import org.apache.curator.test.TestingServer;

/** Home's registry: a ZooKeeper. */
final class RegistryProcess {

    private RegistryProcess() {}

    /** The argument is its port. */
    public static void main(String[] arguments) throws Exception {
        ChildProcess.endWithParent();
        try (TestingServer zookeeper = new TestingServer(Integer.parseInt(arguments[0]))) {
            ChildProcess.ready(String.valueOf(zookeeper.getPort()));
            Thread.currentThread().join(); // until the process is ended
        }
    }
}
