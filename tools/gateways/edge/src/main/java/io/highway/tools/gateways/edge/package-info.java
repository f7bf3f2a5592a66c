// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** EdgeService of ServiceComb as a gateway for the HTTP tunnel. */
@NullMarked
package io.highway.tools.gateways.edge;

import org.jspecify.annotations.NullMarked;
