// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.decision;

import io.highway.sdk.Island;
import io.highway.sdk.IslandKey;

/** Services that differ only in their annotations. All have the method {@code file}, with the same types. */
final class Reports {

    private Reports() {}

    /** Without annotations. */
    interface Plain {
        String file(String province, String report);
    }

    /** Names the island by an argument. */
    interface Keyed {
        String file(@IslandKey String province, String report);
    }

    /** Names the island by the method. */
    interface OnMethod {
        @Island(HomeApplication.HOME)
        String file(String province, String report);
    }

    /** Names an island by another method. */
    interface OnOtherMethod extends Plain {
        @Island("shanghai")
        String reopen(String province, String report);
    }

    /** Names the island by the interface. */
    @Island(HomeApplication.HOME)
    interface OnInterface {
        String file(String province, String report);
    }
}
