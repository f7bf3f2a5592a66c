// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The provider's side of the HTTP tunnel: calls over HTTP/1.1 on a separate port. No other package uses it. */
@NullMarked
package io.highway.sdk.dubbo.internal.http.server;

import org.jspecify.annotations.NullMarked;
