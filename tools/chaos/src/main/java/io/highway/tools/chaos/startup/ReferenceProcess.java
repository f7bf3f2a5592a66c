// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.startup;

import io.highway.tools.chaos.service.OrderService;
import io.highway.tools.processes.ChildProcess;
import io.highway.tools.processes.DubboCaller;
import java.util.Map;

/** An application with a reference whose calls go to shanghai. */
final class ReferenceProcess {

    private ReferenceProcess() {}

    /** The argument is home's provider as a URL. */
    public static void main(String[] arguments) throws InterruptedException {
        ChildProcess.endWithParent();
        Map<String, String> island = Map.of("highway-island", "shanghai");
        OrderService unused = new DubboCaller("start-up", Map.of())
                .refer(OrderService.class, arguments[0], reference -> reference.setParameters(island));
        ChildProcess.ready("");
        Thread.currentThread().join(); // until the process is ended
    }
}
