// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A shop that sells; everything else is not its business. */
abstract class ForwardingShop implements Shop {

    @Override
    public CompletableFuture<String> sellLater(String item) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void note(String item) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Order order(Order order) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String refuse(String why) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<String> refuseLater(String why) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String nothing(String maybe) {
        throw new UnsupportedOperationException();
    }

    @Override
    public byte[] pack(byte[] content) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String slow(int millis) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String sellIn(String province, String item) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String ship(Order order) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String find(Map<String, String> address) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String sellInBeijing(String item) {
        throw new UnsupportedOperationException();
    }
}
