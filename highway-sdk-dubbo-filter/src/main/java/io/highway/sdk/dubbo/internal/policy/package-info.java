// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The policy: {@code HighwayKeys} lists the keys, {@code ValueParser} reads a value, {@code PolicyParser} makes the immutable
 * snapshot that calls are decided on.
 */
@NullMarked
package io.highway.sdk.dubbo.internal.policy;

import org.jspecify.annotations.NullMarked;
