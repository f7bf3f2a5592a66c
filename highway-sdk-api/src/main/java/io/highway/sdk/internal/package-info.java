// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** What the SDK's own modules share; applications must not use it. */
@NullMarked
package io.highway.sdk.internal;

import org.jspecify.annotations.NullMarked;
