// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit.user;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.tools.kit.user.StockService.Order;
import io.highway.tools.kit.user.StockService.SoldOutException;
import java.util.concurrent.CompletableFuture;

/** Code that calls islands; defects are planted here. */
final class Shop {

    private final StockService stock;

    Shop(StockService stock) {
        this.stock = stock;
    }

    /** Sells what beijing has. */
    String sellInBeijing(Order order) throws SoldOutException {
        return Highway.to("beijing").callChecked(() -> stock.reserve(order));
    }

    /** Whether it is known to be reserved, known not to be, or neither. */
    String state(Order order) throws SoldOutException {
        try {
            return "reserved: " + stock.reserve(order);
        } catch (HighwayException e) {
            return e.mayHaveRun() ? "unknown" : "not reserved";
        }
    }

    /** Tries a second time where that cannot reserve twice. */
    String sellSurely(Order order) throws SoldOutException {
        try {
            return stock.reserve(order);
        } catch (HighwayException e) {
            if (e.mayHaveRun()) {
                throw e;
            }
            return stock.reserve(order);
        }
    }

    /** Sells on another thread. */
    String sellLater(Order order) {
        return CompletableFuture.supplyAsync(Highway.wrapSupplier(() -> sell(order)))
                .join();
    }

    private String sell(Order order) {
        try {
            return stock.reserve(order);
        } catch (SoldOutException e) {
            return "sold out";
        }
    }
}
