// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** An application at home, under constant load. */
@NullMarked
package io.highway.tools.monitoring.order;

import org.jspecify.annotations.NullMarked;
