// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.bench;

import io.highway.tools.gateways.ApplicationsGateway;
import io.highway.tools.gateways.PairGateway;
import java.io.IOException;

/** Gateways under test that are not part of the star; each is started by the case that needs it. */
public interface SeparateGateways {

    /** In front of two applications of shanghai. */
    ApplicationsGateway applications() throws IOException;

    /** In front of two servers at these ports, for the HTTP tunnel. */
    PairGateway pair(int one, int other) throws IOException;
}
