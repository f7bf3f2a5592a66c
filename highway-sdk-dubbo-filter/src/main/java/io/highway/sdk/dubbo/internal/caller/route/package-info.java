// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The island that a call asks for, and the decision: home, a tunnel or a refusal. The first answer wins, see {@link
 * io.highway.sdk.dubbo.internal.caller.route.IntentResolver}; the rules are in {@link
 * io.highway.sdk.dubbo.internal.caller.route.RouteDecider}.
 */
@NullMarked
package io.highway.sdk.dubbo.internal.caller.route;

import org.jspecify.annotations.NullMarked;
