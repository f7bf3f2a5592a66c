// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

/** The same faults over HTTP, without sockets. */
@HighwayTest(
        home = "zhejiang",
        islands = {"shanghai", "beijing"},
        properties = "highway.defaults.tunnel=http")
class HttpFaultsTest extends FaultsTest {}
