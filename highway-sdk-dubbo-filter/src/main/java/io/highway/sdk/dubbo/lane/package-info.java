// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The lanes to each island: which are fit, which come first, how many calls they take. A lane is one gateway address towards
 * one island.
 */
@NullMarked
package io.highway.sdk.dubbo.lane;

import org.jspecify.annotations.NullMarked;
