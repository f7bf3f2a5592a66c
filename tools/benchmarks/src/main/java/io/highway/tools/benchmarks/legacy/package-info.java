// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Tunnels against version 1, as calls crossed islands before there was an SDK: beans converted to descriptors, serialised
 * for the gateway and again for HTTP, and sent by blocking threads. Rebuilt from what is known of that design.
 *
 * <pre>
 *   caller --Dubbo--> HomeGateway --HTTP/1.1--> hub --HTTP/1.1--> FarGateway --Dubbo--> provider
 * </pre>
 */
@NullMarked
package io.highway.tools.benchmarks.legacy;

import org.jspecify.annotations.NullMarked;
