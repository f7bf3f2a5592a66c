// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package com.example.orders;

/** A Dubbo service that each island has; in an application of your own it comes from the provider's API jar. */
public interface StockService {

    /** {@return whether so many pieces were put aside} */
    boolean reserve(String item, int pieces);
}
