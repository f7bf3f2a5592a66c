// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

@NullMarked
package io.highway.tools.kit;

import org.jspecify.annotations.NullMarked;
