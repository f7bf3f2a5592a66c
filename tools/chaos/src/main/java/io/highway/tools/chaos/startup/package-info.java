// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** What an application logs while its gateway is useless. */
@NullMarked
package io.highway.tools.chaos.startup;

import org.jspecify.annotations.NullMarked;
