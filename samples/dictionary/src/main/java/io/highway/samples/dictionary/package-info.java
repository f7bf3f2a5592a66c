// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Trains a zstd dictionary with recorded messages. */
@NullMarked
package io.highway.samples.dictionary;

import org.jspecify.annotations.NullMarked;
