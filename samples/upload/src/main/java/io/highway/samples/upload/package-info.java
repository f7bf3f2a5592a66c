// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** A large file, uploaded as a stream in the bulk class. */
@NullMarked
package io.highway.samples.upload;

import org.jspecify.annotations.NullMarked;
