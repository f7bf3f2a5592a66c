// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.hellospringboot.run;

import io.highway.samples.hellospringboot.shanghai.ShanghaiApplication;
import io.highway.samples.hellospringboot.zhejiang.ZhejiangApplication;
import io.highway.tools.processes.TwoIslands;
import io.highway.tools.processes.TwoIslands.Side;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Starts ZooKeeper, two gateways and both applications, prints zhejiang's output, and stops everything. */
public final class HelloSpringBoot {

    private HelloSpringBoot() {}

    /** The argument is the folder for logs and routes. Exits with 0 only if the application in zhejiang has called. */
    public static void main(String[] arguments) {
        try {
            run(Path.of(arguments[0])).forEach(System.out::println);
            System.exit(0);
        } catch (IOException | RuntimeException e) {
            System.err.println("hello-spring-boot: " + e);
            System.exit(1);
        }
    }

    /** The lines that the application in zhejiang prints. */
    static List<String> run(Path folder) throws IOException {
        return TwoIslands.run(
                folder,
                new Side(ShanghaiApplication.class, "-Dspring.config.location=classpath:/shanghai/"),
                new Side(ZhejiangApplication.class, "-Dspring.config.location=classpath:/zhejiang/"));
    }
}
