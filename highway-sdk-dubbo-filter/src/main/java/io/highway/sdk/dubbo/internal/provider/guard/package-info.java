// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The provider side: checks calls from other islands, records their caller, removes the route headers. */
@NullMarked
package io.highway.sdk.dubbo.internal.provider.guard;

import org.jspecify.annotations.NullMarked;
