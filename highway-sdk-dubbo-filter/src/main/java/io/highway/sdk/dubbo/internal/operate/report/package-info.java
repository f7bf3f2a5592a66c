// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Reports of the settings in force and the current state, explanations of calls and probes of islands. */
@NullMarked
package io.highway.sdk.dubbo.internal.operate.report;

import org.jspecify.annotations.NullMarked;
