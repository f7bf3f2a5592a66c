// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Answers with the name of its island. */
record ShopKeeper(String island) implements Shop {

    @Override
    public String sell(String item) {
        return island + ":" + item;
    }

    @Override
    public CompletableFuture<String> sellLater(String item) {
        return CompletableFuture.completedFuture(sell(item));
    }

    @Override
    public void note(String item) {
        // the call is recorded
    }

    @Override
    public String refuse(String why) throws SoldOutException {
        throw new SoldOutException(sell(why));
    }

    @Override
    public CompletableFuture<String> refuseLater(String why) {
        return CompletableFuture.failedFuture(new SoldOutException(sell(why)));
    }

    @Override
    public String sellIn(String province, String item) {
        return sell(item);
    }

    @Override
    public String ship(Order order) {
        return sell(order.getItem());
    }

    @Override
    public String find(Map<String, String> address) {
        return sell(address.get("code"));
    }

    @Override
    public String sellInBeijing(String item) {
        return sell(item);
    }
}
