// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Compression of messages: what peers read, the choice, and bounded inflation. */
@NullMarked
package io.highway.sdk.dubbo.internal.network.compression;

import org.jspecify.annotations.NullMarked;
