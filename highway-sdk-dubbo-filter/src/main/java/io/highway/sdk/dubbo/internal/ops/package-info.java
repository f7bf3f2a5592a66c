// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Reports of the settings in force and the current state, for endpoints and consoles. */
@NullMarked
package io.highway.sdk.dubbo.internal.ops;

import org.jspecify.annotations.NullMarked;
