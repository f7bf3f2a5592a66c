// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Callers that use the SDK as intended. */
@NullMarked
package io.highway.tools.security.client;

import org.jspecify.annotations.NullMarked;
