// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Cases that a gateway passes if it complies with the wire contract. */
@NullMarked
package io.highway.tools.conformance;

import org.jspecify.annotations.NullMarked;
