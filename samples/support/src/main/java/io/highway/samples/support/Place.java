// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.support;

import java.util.List;

/**
 * Where processes run: in the surroundings of this one, or in others, such as a network namespace.
 *
 * @param command what their own command is handed to, such as {@code ip netns exec far}; it must become the process and
 *     leave its input and output alone
 * @param options of virtual machines there, stronger than those this process was given
 */
public record Place(List<String> command, List<String> options) {

    /** Where this process runs. */
    public static final Place HERE = new Place(List.of(), List.of());
}
