// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** What the cases work on: providers, the gateways in question, and clients. */
@NullMarked
package io.highway.samples.conformance.bench;

import org.jspecify.annotations.NullMarked;
