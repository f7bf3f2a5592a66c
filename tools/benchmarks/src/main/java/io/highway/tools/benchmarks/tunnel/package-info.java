// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The cost of the SDK for calls through a gateway, compared with a plain reference that has the gateway's address. */
@NullMarked
package io.highway.tools.benchmarks.tunnel;

import org.jspecify.annotations.NullMarked;
