// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Signatures of calls: written at the caller, verified at the destination. */
@NullMarked
package io.highway.sdk.dubbo.internal.signature;

import org.jspecify.annotations.NullMarked;
