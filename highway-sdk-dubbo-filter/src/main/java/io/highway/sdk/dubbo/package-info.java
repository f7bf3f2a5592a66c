// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The public types of the Dubbo module. Those named {@code Internal*} are not part of the API. What is missing is null or
 * an {@code Optional}, as in {@link io.highway.sdk}.
 */
@NullMarked
package io.highway.sdk.dubbo;

import org.jspecify.annotations.NullMarked;
