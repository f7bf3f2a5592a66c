// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The processes, their network, and Prometheus. */
@NullMarked
package io.highway.tools.monitoring.star;

import org.jspecify.annotations.NullMarked;
