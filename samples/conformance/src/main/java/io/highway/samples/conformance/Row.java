// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.conformance;

import io.highway.samples.conformance.bench.Protocol;

/** A line of the table. */
record Row(String name, Protocol protocol, Verdict verdict) {}
