// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The environment of the cases: providers, the gateways under test, and clients. */
@NullMarked
package io.highway.tools.conformance.bench;

import org.jspecify.annotations.NullMarked;
