// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.service;

/** Deployed in two groups and versions, so that each call has to find the right one. */
public interface Grouped {

    /** Answers {@code <island> <group>:<version>}. */
    String whoAreYou(String id);
}
