// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.support.center;

import io.highway.samples.support.ChildProcess;
import java.io.File;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;

/** A ZooKeeper that keeps its data. */
final class ZooKeeperProcess {

    private ZooKeeperProcess() {}

    /** The arguments are its port and the folder for its data. */
    public static void main(String[] arguments) throws Exception {
        ChildProcess.endWithParent();
        InstanceSpec spec = new InstanceSpec(new File(arguments[1]), Integer.parseInt(arguments[0]), -1, -1, false, -1);
        try (TestingServer server = new TestingServer(spec, true)) {
            ChildProcess.ready(String.valueOf(server.getPort()));
            Thread.currentThread().join(); // until the process is ended
        }
    }
}
