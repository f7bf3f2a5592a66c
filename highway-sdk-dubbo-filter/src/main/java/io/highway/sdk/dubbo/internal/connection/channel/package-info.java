// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The parts of a gateway connection that do not depend on its protocol. */
@NullMarked
package io.highway.sdk.dubbo.internal.connection.channel;

import org.jspecify.annotations.NullMarked;
