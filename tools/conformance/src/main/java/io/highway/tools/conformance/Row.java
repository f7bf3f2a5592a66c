// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance;

import io.highway.tools.gateways.Protocol;

/** A line of the table. */
record Row(String name, Protocol protocol, Verdict verdict) {}
