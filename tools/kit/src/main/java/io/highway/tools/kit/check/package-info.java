// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** What one check expects and has seen. */
@NullMarked
package io.highway.tools.kit.check;

import org.jspecify.annotations.NullMarked;
