// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test.spring;

import io.highway.sdk.test.HighwayTest;
import org.junit.jupiter.api.Tag;

/** The same application, with real connections to real providers. */
@Tag("network")
@HighwayTest(
        islands = {"shanghai", "beijing"},
        real = true)
class RealSpringTest extends SpringTest {}
