// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** What a request says, read before anything of it is decoded. */
@NullMarked
package io.highway.sdk.dubbo.internal.facts;

import org.jspecify.annotations.NullMarked;
