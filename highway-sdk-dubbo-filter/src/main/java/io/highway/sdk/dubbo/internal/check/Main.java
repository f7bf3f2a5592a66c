// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.check;

import io.highway.sdk.dubbo.internal.policy.source.PolicyCheckCommand;
import java.util.Arrays;

/**
 * {@code java -cp '<jars>' io.highway.sdk.dubbo.internal.check.Main check <policy.yaml>}, with the application's jars,
 * such as {@code BOOT-INF/lib/*} of an unpacked one.
 */
final class Main {

    private static final int UNUSABLE = 2;

    private Main() {}

    /**
     * Runs the command and ends the JVM with its exit code.
     *
     * @param args the command and its arguments
     */
    public static void main(String[] args) {
        int code = UNUSABLE;
        try {
            code = PolicyCheckCommand.run(Arrays.asList(args), System.out, System.err);
        } catch (NoClassDefFoundError e) {
            System.err.println("highway: the class path lacks " + e.getMessage()
                    + ": the command needs the jars highway-sdk-api, dubbo and snakeyaml. Run it with the application's jars: "
                    + PolicyCheckCommand.USAGE);
        }
        System.exit(code);
    }
}
