// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** What both sides of the HTTP tunnel write: names and paths. */
@NullMarked
package io.highway.sdk.dubbo.internal.http;

import org.jspecify.annotations.NullMarked;
