// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.orders;

import io.highway.tools.benchmarks.calls.ProviderProcess;

/** The provider of orders in shanghai. */
public final class OrderProviderProcess {

    private OrderProviderProcess() {}

    /** Arguments: the port for the Dubbo protocol and the one for Triple. */
    public static void main(String[] arguments) {
        ProviderProcess.provider(arguments[0], arguments[1])
                .export(OrderService.class, new OrderDesk())
                .serve(ProviderProcess.ISLAND);
    }
}
