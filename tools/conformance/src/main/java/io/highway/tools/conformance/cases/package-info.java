// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The requirements of the wire contract, case by case. */
@NullMarked
package io.highway.tools.conformance.cases;

import org.jspecify.annotations.NullMarked;
