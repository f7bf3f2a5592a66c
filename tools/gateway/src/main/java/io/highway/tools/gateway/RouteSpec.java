// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

/** A route as configured; opened once per gateway, so several gateways may share a configuration. */
interface RouteSpec {
    Route open();
}
