// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.util.Optional;

/**
 * Where calls enter home's gateway.
 *
 * @param plain {@code host:port}; every island may have its own, or all the same
 * @param tls {@code host:port} that demands TLS and a client's certificate; empty if there is none
 */
public record Entrance(String plain, Optional<String> tls) {}
