// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import java.util.Objects;

/**
 * Who called from another island, as seen by the provider.
 *
 * @param island the island the call started in
 * @param application the Dubbo application name of the consumer there
 */
public record Caller(String island, String application) {

    public Caller {
        Objects.requireNonNull(island, "island");
        Objects.requireNonNull(application, "application");
    }
}
