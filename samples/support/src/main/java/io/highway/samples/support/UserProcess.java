// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.support;

import java.util.Arrays;

/** A program of a user, which knows nothing of this. It is ready when its main method has returned. */
final class UserProcess {

    private UserProcess() {}

    /** The first argument is its class, the others are its own. */
    public static void main(String[] arguments) throws ReflectiveOperationException, InterruptedException {
        ChildProcess.endWithParent();
        Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object)
                Arrays.copyOfRange(arguments, 1, arguments.length));
        ChildProcess.ready("");
        Thread.currentThread().join(); // until the process is ended
    }
}
