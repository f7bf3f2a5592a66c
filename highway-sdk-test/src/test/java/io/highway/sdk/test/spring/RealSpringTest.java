// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test.spring;

import io.highway.sdk.test.HighwayTest;

/** The same application, with real connections to real providers. */
@HighwayTest(
        islands = {"shanghai", "beijing"},
        real = true)
class RealSpringTest extends SpringTest {}
