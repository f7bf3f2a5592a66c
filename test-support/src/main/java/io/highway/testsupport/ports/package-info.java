// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Free ports. */
@NullMarked
package io.highway.testsupport.ports;

import org.jspecify.annotations.NullMarked;
