// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The star: providers, gateways, home's registry, each in a separate process. */
@NullMarked
package io.highway.samples.quickstart.star;

import org.jspecify.annotations.NullMarked;
