// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Gateway addresses and the connections to them: opened off the calling threads, shared, kept, renewed. */
@NullMarked
package io.highway.sdk.dubbo.link;

import org.jspecify.annotations.NullMarked;
