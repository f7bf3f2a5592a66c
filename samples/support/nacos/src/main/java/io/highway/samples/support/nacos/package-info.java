// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** A Nacos server for samples. Not for production. */
@NullMarked
package io.highway.samples.support.nacos;

import org.jspecify.annotations.NullMarked;
