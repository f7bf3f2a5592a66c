// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The entry points into Dubbo: the extensions that Dubbo loads and calls, and what serves failed calls. */
@NullMarked
package io.highway.sdk.dubbo.internal.caller.entry;

import org.jspecify.annotations.NullMarked;
