// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

import java.util.Locale;

/**
 * What one caller process is like.
 *
 * @param kind plain Dubbo, or the SDK
 * @param services how many references there are
 * @param islands how many islands there are
 * @param addresses of home's gateways, so many for each protocol
 * @param times how often every service is called for every island; 0: the process only starts
 */
record Setting(Kind kind, int services, int islands, int addresses, int times) {

    /** What its references have in front of them. */
    enum Kind {
        PLAIN("plain"),
        SDK("SDK"),
        GATEWAYS_DOWN("SDK, gateways down");

        private final String title;

        Kind(String title) {
            this.title = title;
        }

        /** For people. */
        String title() {
            return title;
        }

        /** For programs. */
        String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Setting starting(Kind kind, int services, int islands) {
        return new Setting(kind, services, islands, 1, 0);
    }

    static Setting calling(Kind kind, int services, int islands) {
        return new Setting(kind, services, islands, 1, 1);
    }

    Setting times(int more) {
        return new Setting(kind, services, islands, addresses, more);
    }

    Setting over(int more) {
        return new Setting(kind, services, islands, more, times);
    }
}
