// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos;

/**
 * A temporary fault that affects all modes.
 *
 * @param restartsGateway whether no gateway of its kind is there until one is started again, so that the recovery time
 *     depends on the SDK
 * @param harmless whether every call must be delivered in spite of it
 */
record Fault(String name, Begin begin, End end, boolean restartsGateway, boolean harmless) {

    /** Injects the fault. */
    @FunctionalInterface
    interface Begin {
        void run() throws InterruptedException;
    }

    /** Repairs it, and records the time of repair. */
    @FunctionalInterface
    interface End {
        void run(Runnable right);
    }

    Fault(String name, Begin begin, Runnable end) {
        this(name, begin, end, false, false);
    }

    Fault(String name, Begin begin, Runnable end, boolean restartsGateway, boolean harmless) {
        this(
                name,
                begin,
                right -> {
                    end.run();
                    right.run();
                },
                restartsGateway,
                harmless);
    }
}
