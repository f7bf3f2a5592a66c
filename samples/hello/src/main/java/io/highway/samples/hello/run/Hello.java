// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.hello.run;

import io.highway.samples.hello.Consumer;
import io.highway.samples.hello.Provider;
import io.highway.tools.processes.TwoIslands;
import io.highway.tools.processes.TwoIslands.Side;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Starts ZooKeeper, two gateways, provider and consumer, prints the consumer's output, and stops everything. */
public final class Hello {

    private Hello() {}

    /** The argument is the folder for logs and routes. Exits with 0 only if the consumer's main method has returned. */
    public static void main(String[] arguments) {
        try {
            run(Path.of(arguments[0])).forEach(System.out::println);
            System.exit(0);
        } catch (IOException | RuntimeException e) {
            System.err.println("hello: " + e);
            System.exit(1);
        }
    }

    /** The lines that the consumer prints. */
    static List<String> run(Path folder) throws IOException {
        return TwoIslands.run(
                folder,
                new Side(Provider.class, "-Ddubbo.properties.file=shanghai/dubbo.properties"),
                new Side(Consumer.class, "-Ddubbo.properties.file=zhejiang/dubbo.properties"));
    }
}
