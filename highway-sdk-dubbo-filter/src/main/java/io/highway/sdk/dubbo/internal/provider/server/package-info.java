// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What the servers of a provider have in front of Dubbo's own code, on the ports of both protocols: requests are counted, read by
 * their headers, and refused or admitted by the guard before anything of them is decoded.
 */
@NullMarked
package io.highway.sdk.dubbo.internal.provider.server;

import org.jspecify.annotations.NullMarked;
