// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import java.time.Duration;

/** Lets tests wait less than a minute. */
public final class AgedEncodings {

    private AgedEncodings() {}

    /** As if all that is known had been learned this time earlier. */
    public static void age(PeerEncodings encodings, Duration by) {
        synchronized (encodings) {
            encodings.encodings.values().forEach(known -> known.since -= by.toNanos());
            encodings.refusedAt.replaceAll((service, at) -> at - by.toNanos());
        }
    }
}
