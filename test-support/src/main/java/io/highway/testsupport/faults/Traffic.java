// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.testsupport.faults;

import java.util.concurrent.atomic.LongAdder;

/**
 * Bytes that have come over a link. Thread-safe.
 *
 * @param toTarget what clients have sent
 * @param toClients what the target has sent
 */
public record Traffic(LongAdder toTarget, LongAdder toClients) {

    Traffic() {
        this(new LongAdder(), new LongAdder());
    }

    /** Both directions. */
    public long sum() {
        return toTarget.sum() + toClients.sum();
    }
}
