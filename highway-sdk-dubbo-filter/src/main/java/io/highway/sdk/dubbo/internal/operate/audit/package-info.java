// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The audit trail: one line of JSON per crossing on the logger {@code highway.audit}, at the caller and at the destination. */
@NullMarked
package io.highway.sdk.dubbo.internal.operate.audit;

import org.jspecify.annotations.NullMarked;
