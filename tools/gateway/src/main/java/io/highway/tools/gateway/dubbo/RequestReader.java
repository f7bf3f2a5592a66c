// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway.dubbo;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the values of a request body in order, without building any argument. */
interface RequestReader {
    @Nullable
    String readString();

    void skipValue();

    /** The wanted string entries of the map that comes next; every other entry is skipped. */
    Map<String, String> readEntries(Set<String> wanted);
}
