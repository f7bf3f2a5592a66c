// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.star;

import io.highway.tools.chaos.service.OrderService;
import io.highway.tools.processes.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.model.FrameworkModel;

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
        OrderService orders = reference(protocol + "://" + gateway);
        String last = "";
        try {
            while (true) {
                String now = call(orders);
                if (!now.equals(last)) {
                    note(notes, protocol + " " + now + " " + System.currentTimeMillis());
                    last = now;
                }
                Thread.sleep(INTERVAL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new IllegalStateException("cannot write " + notes, e);
        }
    }

    private static synchronized void note(Path notes, String line) throws IOException {
        Files.writeString(notes, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static String call(OrderService orders) {
        try {
            orders.island();
            return "passed";
        } catch (RpcException e) {
            return "failed";
        }
    }

    private static OrderService reference(String url) {
        ReferenceConfig<OrderService> reference = new ReferenceConfig<>();
        reference.setInterface(OrderService.class);
        reference.setUrl(url);
        reference.setCheck(false);
        reference.setTimeout(TIMEOUT_MILLIS);
        reference.setRetries(0);
        ApplicationConfig application = new ApplicationConfig("plain-caller");
        application.setQosEnable(false);
        DubboBootstrap.getInstance(new FrameworkModel().newApplication())
                .application(application)
                .reference(reference);
        return reference.get();
    }
}
