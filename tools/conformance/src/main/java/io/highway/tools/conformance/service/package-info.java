// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** What every provider of the kit offers. */
@NullMarked
package io.highway.tools.conformance.service;

import org.jspecify.annotations.NullMarked;
