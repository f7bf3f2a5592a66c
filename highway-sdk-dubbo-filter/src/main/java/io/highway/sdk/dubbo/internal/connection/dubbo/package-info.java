// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Connections that speak the Dubbo protocol. */
@NullMarked
package io.highway.sdk.dubbo.internal.connection.dubbo;

import org.jspecify.annotations.NullMarked;
