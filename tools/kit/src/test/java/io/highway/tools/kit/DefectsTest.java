// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DefectsTest {

    /** Whether tests find them takes minutes to see; that the sources still have their places does not. */
    @Test
    void haveTheirPlaces() throws Exception {
        Defects.requirePlaces(Path.of("..", ".."));
    }
}
