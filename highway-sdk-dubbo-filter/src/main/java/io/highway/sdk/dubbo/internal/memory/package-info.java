// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The account of the bytes that have arrived and are not processed yet, of a connection and of the process. */
@NullMarked
package io.highway.sdk.dubbo.internal.memory;

import org.jspecify.annotations.NullMarked;
