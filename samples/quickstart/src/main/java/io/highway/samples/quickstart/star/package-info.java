// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The processes: providers, gateways, home's registry. */
@NullMarked
package io.highway.samples.quickstart.star;

import org.jspecify.annotations.NullMarked;
