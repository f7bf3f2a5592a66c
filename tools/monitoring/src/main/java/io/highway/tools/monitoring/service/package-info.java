// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** What the applications call. */
@NullMarked
package io.highway.tools.monitoring.service;

import org.jspecify.annotations.NullMarked;
