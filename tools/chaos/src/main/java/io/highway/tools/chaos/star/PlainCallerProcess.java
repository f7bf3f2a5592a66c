// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.star;

import io.highway.tools.chaos.service.OrderService;
import io.highway.tools.processes.ChildProcess;
import io.highway.tools.processes.DubboCaller;
import io.highway.tools.processes.Folders;
import java.nio.file.Path;
import org.apache.dubbo.rpc.RpcException;

/**
 * Calls through a gateway as plain Dubbo does, over both protocols, and notes in a file when calls begin to pass and to
 * fail: {@code <protocol> passed|failed <milliseconds of the clock>}.
 */
final class PlainCallerProcess {

    private static final int INTERVAL_MILLIS = 100;
    private static final int TIMEOUT_MILLIS = 1000;

    private PlainCallerProcess() {}

    /** Arguments: the gateway's {@code host:port} and the file. */
    public static void main(String[] arguments) throws InterruptedException {
        ChildProcess.endWithParent();
        Path notes = Path.of(arguments[1]);
        Thread dubbo = new Thread(() -> poll("dubbo", arguments[0], notes), "poll-dubbo");
        dubbo.start();
        poll("tri", arguments[0], notes);
        dubbo.join();
    }

    private static void poll(String protocol, String gateway, Path notes) {
        String last = "";
        try (DubboCaller caller = DubboCaller.withoutSdk("plain-caller")) {
            OrderService orders = caller.refer(OrderService.class, protocol + "://" + gateway, reference -> {
                reference.setTimeout(TIMEOUT_MILLIS);
                reference.setRetries(0);
            });
            while (true) {
                String now = call(orders);
                if (!now.equals(last)) {
                    Folders.append(notes, protocol + " " + now + " " + System.currentTimeMillis());
                    last = now;
                }
                Thread.sleep(INTERVAL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String call(OrderService orders) {
        try {
            orders.island();
            return "passed";
        } catch (RpcException e) {
            return "failed";
        }
    }
}
