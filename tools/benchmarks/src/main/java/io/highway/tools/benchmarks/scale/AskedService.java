// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

/** What all generated interfaces have in common, so that they can be called without reflection. */
public interface AskedService {

    /** Returns which service was called and which island the call names. */
    String asked(String text);

    /** How a service answers, {@code Service7@island-3}; without an island nothing follows the sign. */
    static String answer(Class<?> service, String island) {
        return service.getSimpleName() + "@" + island;
    }
}
