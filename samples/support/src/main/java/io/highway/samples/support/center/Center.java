// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.support.center;

import io.highway.samples.support.Processes;
import io.highway.testsupport.faults.FaultyLink;
import io.highway.testsupport.faults.FaultyLinks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Home's config centre: a server in a process of its own, with its data on disk. */
public interface Center {

    /** The key of the rule for all applications. */
    String COMMON = "highway.policy";

    /** What can be a config centre. */
    enum Kind {
        zookeeper,
        nacos
    }

    /**
     * A centre that is not started.
     *
     * @param folder for its data
     * @param nacosServer the folder with the classes of a Nacos server and the file with its class path
     */
    static Center of(Kind kind, Processes processes, Path folder, Path nacosServer) throws IOException {
        return switch (kind) {
            case zookeeper -> new ZooKeeperCenter(processes, folder);
            case nacos -> new NacosCenter(processes, folder, nacosServer);
        };
    }

    /** Starts it, or starts it again with the same data; returns when it answers. */
    void start();

    /** Ends it as {@code kill -9} does. */
    void kill();

    /** Its address, as Dubbo writes it. */
    String address();

    /** The same for an application that starts without it. */
    String addressWithoutCheck();

    /** A link to each port that clients use; the first stands for that of the address. */
    List<FaultyLink> links(FaultyLinks links);

    /** The address of home's registry, once the centre has started. */
    String registry();

    /** The registry for an application that starts without the centre. */
    String registryWithoutCheck();

    /** Whether {@code check=false} of Dubbo's config is needed for that, too. */
    boolean needsCheckFalse();

    /** Publishes the rule of a key. */
    void publish(String key, String rule) throws Exception;

    /** Publishes a blank rule; returns why the centre refuses to store it, or an empty text if it stores it. */
    String publishBlank() throws Exception;

    /** Deletes the rule of a key. */
    void delete(String key) throws Exception;
}
