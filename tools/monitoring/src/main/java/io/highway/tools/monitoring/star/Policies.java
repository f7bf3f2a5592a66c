// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring.star;

import io.highway.tools.processes.Folders;
import io.highway.tools.processes.center.Center;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The rules that applications follow: a file for each process of one, the config centre for the other. */
public record Policies(Path folder, Center center) {

    private static final String POLICY = "version: 2026-11-01\nservices: {}\n";
    /** A new one. */
    public static final String NEXT_POLICY = "version: 2026-11-02\nservices: {}\n";
    /** Another one under the same version. */
    public static final String SAME_VERSION = POLICY + "heartbeat: {interval: 1s}\n";

    private static final String WITHOUT_SHANGHAI =
            "version: 2026-11-04\nislands:\n  beijing: {tunnel: triple, fallback: home}\n";
    /** One with a mistake. */
    public static final String WRONG_POLICY = "version: 2026-11-03\nislands:\n  shanghai: {tunnel: dubo}\n";

    /** How many processes the application with files has. */
    static final int ORDERS = 2;

    /** The number of the rule for the other application. */
    public static final int SMS = 3;

    /** Publishes the first rule to a process of the application, or to the other application. */
    void publishFirst(int order) {
        publish(order, POLICY);
    }

    /** Publishes a rule that leaves out an island to all processes. */
    public void publishWithoutShanghai() {
        publishAll(WITHOUT_SHANGHAI);
        publish(SMS, WITHOUT_SHANGHAI);
    }

    /** Publishes a good rule of this number to all. */
    public void publishNext(int number) {
        String rule = NEXT_POLICY.replace("2026-11-02", "2026-11-02." + number);
        publishAll(rule);
        publish(SMS, rule);
    }

    /** Deletes the rule of the application. */
    public void delete() {
        for (int i = 1; i <= ORDERS; i++) {
            delete(i);
        }
    }

    /** Publishes the rule from the beginning to all. */
    public void rollBack() {
        publishAll(POLICY);
        publish(SMS, POLICY);
    }

    /** Publishes a rule to all processes of the application. */
    public void publishAll(String rule) {
        for (int i = 1; i <= ORDERS; i++) {
            publish(i, rule);
        }
    }

    /** Publishes a rule to one process of the application, or to the other application. */
    public void publish(int order, String rule) {
        if (order != SMS) {
            Folders.replace(file(order), rule);
            return;
        }
        try {
            center.publish(Center.COMMON + ".sms", rule);
        } catch (Exception e) { // declared by the client of ZooKeeper
            throw new IllegalStateException("cannot publish the rule of sms", e);
        }
    }

    /** The file that this process of the application follows. */
    Path file(int order) {
        return folder.resolve("policy-" + order + ".yaml");
    }

    /** Deletes the rule of one process. */
    void delete(int order) {
        delete(file(order));
    }

    static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
