// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** What both sides know of one call: its method, its route headers, and what is kept with it. */
@NullMarked
package io.highway.sdk.dubbo.internal.call;

import org.jspecify.annotations.NullMarked;
