// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.startup;

import io.highway.tools.chaos.service.OrderService;
import io.highway.tools.processes.ChildProcess;
import io.highway.tools.processes.DubboCaller;
import java.util.Map;

/** An application with many references; reports the milliseconds it took to create them all. */
final class ReferencesProcess {

    private ReferencesProcess() {}

    /** Arguments: how many references, home's provider as a URL, whether they go to shanghai, and anything to stay. */
    public static void main(String[] arguments) throws InterruptedException {
        ChildProcess.endWithParent();
        int count = Integer.parseInt(arguments[0]);
        boolean routed = Boolean.parseBoolean(arguments[2]);
        Map<String, String> parameters = routed ? Map.of("highway-island", "shanghai") : Map.of();
        DubboCaller caller = new DubboCaller("start-up", Map.of());
        long begun = System.nanoTime();
        for (int i = 0; i < count; i++) {
            String group = "g" + i;
            caller.refer(OrderService.class, arguments[1], reference -> {
                reference.setGroup(group);
                reference.setParameters(parameters);
            });
        }
        ChildProcess.ready(String.valueOf((System.nanoTime() - begun) / 1_000_000));
        if (arguments.length > 3) {
            Thread.currentThread().join();
        }
    }
}
