// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Start reading at {@link io.highway.samples.springboot.order.OrderController}: an ordinary application's calls. */
@NullMarked
package io.highway.samples.springboot;

import org.jspecify.annotations.NullMarked;
