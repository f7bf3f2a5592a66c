// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Checks of highway-sdk-test, and of a release beside older ones. */
@NullMarked
package io.highway.tools.kit;

import org.jspecify.annotations.NullMarked;
