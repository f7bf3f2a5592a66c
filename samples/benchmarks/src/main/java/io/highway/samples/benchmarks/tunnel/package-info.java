// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** What the SDK costs on the way through a gateway: its calls beside those of a plain reference with the gateway's address. */
@NullMarked
package io.highway.samples.benchmarks.tunnel;

import org.jspecify.annotations.NullMarked;
