// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Compression of Triple messages: what peers read, the choice, the marks in Dubbo's code, and bounded inflation. */
@NullMarked
package io.highway.sdk.dubbo.internal.compression;

import org.jspecify.annotations.NullMarked;
