// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Seeing it: what holds and how it goes, for endpoints and consoles. */
@NullMarked
package io.highway.sdk.dubbo.ops;

import org.jspecify.annotations.NullMarked;
