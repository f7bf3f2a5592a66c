// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The scheduler of one application, and the threads of what it starts and may block. */
@NullMarked
package io.highway.sdk.dubbo.internal.background;

import org.jspecify.annotations.NullMarked;
