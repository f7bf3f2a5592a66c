// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.service.billing;

/** The service of shanghai's second application. */
public interface Bills {

    /** Answers {@code <island> charged <text>}. */
    String charge(String id, String text);
}
