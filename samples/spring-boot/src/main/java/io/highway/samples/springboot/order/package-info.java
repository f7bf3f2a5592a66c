// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The order service, at home in zhejiang. */
@NullMarked
package io.highway.samples.springboot.order;

import org.jspecify.annotations.NullMarked;
