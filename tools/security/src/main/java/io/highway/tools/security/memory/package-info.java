// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Storms of large and stalled requests, and of such that must not be decoded, on a provider with a small heap. */
@NullMarked
package io.highway.tools.security.memory;

import org.jspecify.annotations.NullMarked;
