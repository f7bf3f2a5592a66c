// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.cluster;

import io.highway.sdk.dubbo.internal.limits.LogLimit;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;

/**
 * Logs calls of a reference that home or a mock answers instead: the first one at once, then their number, at most
 * every ten seconds. Thread-safe.
 */
final class FallbackLog {

    private static final Logger log = LoggerFactory.getLogger(FallbackLog.class);

    private final String how;
    private final LogLimit limit = new LogLimit();

    /**
     * Creates a log without entries.
     *
     * @param how how the calls are answered, such as {@code is served at home}
     */
    FallbackLog(String how) {
        this.how = how;
    }

    /** Records one call and the reason. */
    void note(String call, String why) {
        limit.warn(log, "highway: " + call + " " + how + ": " + why);
    }
}
