// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.chaos;

/**
 * Something that goes wrong for a while, for all modes at once.
 *
 * @param restartsGateway whether no gateway of its kind is there until one is started again, so that how fast calls come
 *     back is the SDK's doing
 * @param harmless whether every call must be delivered all the same
 */
record Fault(String name, Begin begin, End end, boolean restartsGateway, boolean harmless) {

    /** Lets it go wrong. */
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
        this(
                name,
                begin,
                right -> {
                    end.run();
                    right.run();
                },
                false,
                false);
    }
}
