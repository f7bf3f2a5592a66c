// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Reports of the active settings and the current state, explanations of calls and probes of islands. */
@NullMarked
package io.highway.sdk.dubbo.internal.operate.report;

import org.jspecify.annotations.NullMarked;
