// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Starts a star, lets its parts fail, and reads from Prometheus which alerts fire. */
@NullMarked
package io.highway.tools.monitoring;

import org.jspecify.annotations.NullMarked;
