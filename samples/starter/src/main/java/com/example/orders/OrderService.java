// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package com.example.orders;

import io.highway.sdk.Island;
import io.highway.sdk.dubbo.HighwayException;
import org.apache.dubbo.config.annotation.DubboReference;
import org.springframework.stereotype.Service;

/** Orders goods that are in another island's stock. */
@Service
public class OrderService {

    @DubboReference
    @Island("shanghai")
    private StockService stock; // every call goes to shanghai; home needs no provider

    public String order(String item, int pieces) {
        try {
            return stock.reserve(item, pieces) ? "ordered" : "out of stock";
        } catch (HighwayException e) {
            // Only what certainly did not run may be sent again; the rest is looked up first, or it is reserved twice.
            return e.mayHaveRun() ? "to be checked" : "try again later";
        }
    }
}
