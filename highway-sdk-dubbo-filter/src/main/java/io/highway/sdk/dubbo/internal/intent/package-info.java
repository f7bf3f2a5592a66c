// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Resolves the island that a call asks for. The first answer wins; see
 * {@link io.highway.sdk.dubbo.internal.intent.ReferenceIntents}.
 */
@NullMarked
package io.highway.sdk.dubbo.internal.intent;

import org.jspecify.annotations.NullMarked;
