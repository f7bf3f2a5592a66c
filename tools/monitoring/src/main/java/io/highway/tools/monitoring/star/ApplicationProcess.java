// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring.star;

import io.highway.tools.processes.ChildProcess;
import java.util.Arrays;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts one unmodified Spring Boot application. */
final class ApplicationProcess {

    private ApplicationProcess() {}

    /** The first argument is its class; it receives the others. */
    public static void main(String[] arguments) throws ClassNotFoundException, InterruptedException {
        ChildProcess.endWithParent();
        ConfigurableApplicationContext application =
                SpringApplication.run(Class.forName(arguments[0]), Arrays.copyOfRange(arguments, 1, arguments.length));
        ChildProcess.ready(application.getEnvironment().getProperty("local.server.port", "without HTTP"));
        Thread.currentThread().join(); // until the process is ended
    }
}
