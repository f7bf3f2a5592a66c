// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import java.util.Objects;

/**
 * The caller of a request from another island, as the provider sees it.
 *
 * @param island the island in which the call started
 * @param application the Dubbo application name of the consumer there
 */
public record Caller(String island, String application) {

    public Caller {
        Objects.requireNonNull(island, "island");
        Objects.requireNonNull(application, "application");
    }
}
