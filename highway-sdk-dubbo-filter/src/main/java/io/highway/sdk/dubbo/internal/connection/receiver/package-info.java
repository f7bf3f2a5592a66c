// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The provider's side of the HTTP tunnel: calls over HTTP/1.1 on the Triple port. */
@NullMarked
package io.highway.sdk.dubbo.internal.connection.receiver;

import org.jspecify.annotations.NullMarked;
