// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Found by its name if a reference has {@code mock=true}. */
public class ShopMock implements Shop {

    @Override
    public String sell(String item) {
        return "mock:" + item;
    }

    @Override
    public CompletableFuture<String> sellLater(String item) {
        return CompletableFuture.completedFuture(sell(item));
    }

    @Override
    public void note(String item) {
        // nothing to note
    }

    @Override
    public Order order(Order order) {
        return order;
    }

    @Override
    public String refuse(String why) {
        return why;
    }

    @Override
    public CompletableFuture<String> refuseLater(String why) {
        return CompletableFuture.completedFuture(why);
    }

    @Override
    public String nothing(String maybe) {
        return maybe;
    }

    @Override
    public byte[] pack(byte[] content) {
        return content;
    }

    @Override
    public String slow(int millis) {
        return sell(String.valueOf(millis));
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
