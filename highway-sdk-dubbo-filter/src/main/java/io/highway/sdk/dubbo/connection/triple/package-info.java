// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Connections that speak Triple, and the messages on them. */
@NullMarked
package io.highway.sdk.dubbo.connection.triple;

import org.jspecify.annotations.NullMarked;
