// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.startup;

import io.highway.tools.chaos.service.OrderService;
import io.highway.tools.processes.ChildProcess;
import java.util.Map;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;

/** An application with many references; reports the milliseconds it took to create them all. */
final class ReferencesProcess {

    private ReferencesProcess() {}

    /** Arguments: how many references, home's provider as a URL, whether they go to shanghai, and anything to stay. */
    public static void main(String[] arguments) throws InterruptedException {
        ChildProcess.endWithParent();
        int count = Integer.parseInt(arguments[0]);
        boolean routed = Boolean.parseBoolean(arguments[2]);
        DubboBootstrap dubbo =
                DubboBootstrap.getInstance().application("start-up").registry(new RegistryConfig("N/A"));
        long begun = System.nanoTime();
        for (int i = 0; i < count; i++) {
            ReferenceConfig<OrderService> reference = new ReferenceConfig<>();
            reference.setInterface(OrderService.class);
            reference.setGroup("g" + i);
            reference.setUrl(arguments[1]);
            reference.setCheck(false);
            if (routed) {
                reference.setParameters(Map.of("highway-island", "shanghai"));
            }
            dubbo.reference(reference);
            reference.get();
        }
        ChildProcess.ready(String.valueOf((System.nanoTime() - begun) / 1_000_000));
        if (arguments.length > 3) {
            Thread.currentThread().join();
        }
    }
}
