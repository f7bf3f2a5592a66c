// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.support.center;

import io.highway.samples.support.Processes;
import io.highway.testsupport.faults.FaultyLink;
import io.highway.testsupport.faults.FaultyLinks;
import io.highway.testsupport.ports.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;

/** A real ZooKeeper. */
final class ZooKeeperCenter implements Center {

    private static final String NODES = "/dubbo/config/dubbo/";

    private final Processes processes;
    private final Path data;
    private final int port = FreePorts.next();
    private final String registry;

    ZooKeeperCenter(Processes processes, Path folder) throws IOException {
        this.processes = processes;
        this.registry = processes.registry();
        this.data = Files.createDirectories(folder.resolve("zookeeper-data"));
    }

    @Override
    public void start() {
        processes.start("center", List.of(), ZooKeeperProcess.class, String.valueOf(port), data.toString());
        String unused = processes.ready("center");
    }

    @Override
    public void kill() {
        processes.kill("center");
    }

    @Override
    public String address() {
        return "zookeeper://registry.test:" + port;
    }

    @Override
    public String addressWithoutCheck() {
        return address();
    }

    @Override
    public List<FaultyLink> links(FaultyLinks links) {
        return List.of(links.link(0, port));
    }

    /** Another one: while its registry is down, Dubbo alone waits for minutes at start-up. */
    @Override
    public String registry() {
        return registry;
    }

    @Override
    public String registryWithoutCheck() {
        return registry;
    }

    @Override
    public boolean needsCheckFalse() {
        return true;
    }

    @Override
    public void publish(String key, String rule) throws Exception {
        String node = NODES + key;
        try (CuratorFramework client = client()) {
            byte[] bytes = rule.getBytes(StandardCharsets.UTF_8);
            if (client.checkExists().forPath(node) == null) {
                String unused = client.create().creatingParentsIfNeeded().forPath(node, bytes);
            } else {
                client.setData().forPath(node, bytes);
            }
        }
    }

    @Override
    public String publishBlank() throws Exception {
        publish(COMMON, "");
        return "";
    }

    @Override
    public void delete(String key) throws Exception {
        try (CuratorFramework client = client()) {
            client.delete().forPath(NODES + key);
        }
    }

    private CuratorFramework client() {
        CuratorFramework client = CuratorFrameworkFactory.newClient("registry.test:" + port, new RetryOneTime(1_000));
        client.start();
        return client;
    }
}
