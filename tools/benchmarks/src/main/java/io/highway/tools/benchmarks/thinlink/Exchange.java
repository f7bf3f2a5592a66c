// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import io.highway.tools.benchmarks.measure.Comparison;
import io.highway.tools.benchmarks.measure.Spread;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What triple tunnels with different compressions have in common.
 *
 * @param width of the link in Mbit/s
 * @param form of what is exchanged
 * @param bytes of it
 * @param isDownload whether it is the answer, and not the request
 */
record Exchange(int width, Form form, int bytes, boolean isDownload) {

    private static final double BYTES_PER_MEGABIT = 1e6 / 8;

    /** For tables. */
    String title() {
        return String.format(
                Locale.ROOT,
                "%d Mbit/s, %s of %s, %s, %d callers",
                width,
                isDownload ? "downloads" : "uploads",
                bytes / 1024 + " KB",
                form.title(),
                Group.MANY);
    }

    /** Not measured yet. */
    Comparison<Exchange, String, ExchangeSide> compare(Map<String, OrderExchange> tunnels) {
        Map<String, ExchangeSide> sides = new LinkedHashMap<>();
        tunnels.forEach((name, far) -> sides.put(
                name,
                new ExchangeSide(
                        name, isDownload ? form.download(far, bytes) : form.upload(far, bytes), far::processorNanos)));
        return new Comparison<>(this, Collections.unmodifiableMap(sides));
    }

    /** How full the link was in the direction of the body: 1 is as full as it gets. */
    Spread linkUse(ExchangeSide side) {
        return side.use(width * BYTES_PER_MEGABIT, isDownload ? Link.Traffic::bytesBack : Link.Traffic::bytes);
    }
}
