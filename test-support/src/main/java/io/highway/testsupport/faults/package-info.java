// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** TCP links with injectable faults. */
@NullMarked
package io.highway.testsupport.faults;

import org.jspecify.annotations.NullMarked;
