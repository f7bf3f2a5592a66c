// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** What a gateway has to keep, case by case. */
@NullMarked
package io.highway.samples.conformance.cases;

import org.jspecify.annotations.NullMarked;
