// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The provider in shanghai, with a guard. */
@NullMarked
package io.highway.tools.monitoring.sms;

import org.jspecify.annotations.NullMarked;
