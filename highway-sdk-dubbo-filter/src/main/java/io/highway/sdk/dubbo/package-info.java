// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The public types of the Dubbo module. Those named {@code Internal*} are not part of the API. */
@NullMarked
package io.highway.sdk.dubbo;

import org.jspecify.annotations.NullMarked;
