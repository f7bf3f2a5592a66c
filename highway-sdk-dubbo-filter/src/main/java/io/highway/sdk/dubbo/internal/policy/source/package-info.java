// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The dynamic policy: its rule, where it comes from, and the last good one on disk. */
@NullMarked
package io.highway.sdk.dubbo.internal.policy.source;

import org.jspecify.annotations.NullMarked;
