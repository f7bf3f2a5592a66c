// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.calls;

import java.util.List;
import java.util.Map;

/** Whether the SDK's calls are signed, and the provider demands it. */
public enum Signing {
    /** Without signatures. */
    OFF,
    /** With a key for all callers of home. */
    ON;

    private static final String KEY_ID = "zhejiang-2026";
    private static final String SECRET = "a secret of the benchmark";

    /** The caller's keys. */
    public Map<String, String> keys() {
        return this == OFF ? Map.of() : Map.of("highway.sign.key-id", KEY_ID, "highway.sign.secret", SECRET);
    }

    /** What the provider's JVM is started with. */
    List<String> arguments() {
        return this == OFF
                ? List.of()
                : List.of(
                        "-Dhighway.sign.accept." + KEY_ID + "=" + SECRET,
                        "-Dhighway.sign.accept-from." + KEY_ID + "=" + CallerApplication.HOME + "/*",
                        "-Dhighway.guard.home=127.0.0.0/8");
    }

    /**
     * What a plain reference attaches besides the island, so that the guard serves its calls without a signature:
     * headers that another application wrote count as passed on, and its peer is at home.
     */
    Map<String, String> unsigned() {
        return this == OFF ? Map.of() : Map.of("highway-from", CallerApplication.HOME + "/passed-on/1");
    }
}
