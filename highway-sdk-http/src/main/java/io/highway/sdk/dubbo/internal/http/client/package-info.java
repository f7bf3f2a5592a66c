// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The HTTP tunnel: one Dubbo frame as the body of a POST over HTTP/1.1, and one as the body of its answer. */
@NullMarked
package io.highway.sdk.dubbo.internal.http.client;

import org.jspecify.annotations.NullMarked;
