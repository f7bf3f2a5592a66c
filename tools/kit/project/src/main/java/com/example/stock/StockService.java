// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package com.example.stock;

import io.highway.sdk.Island;
import io.highway.sdk.IslandKey;

/** Counts what is in stock. */
@Island("shanghai")
public interface StockService {

    /** Pieces in shanghai. */
    int count(String item);

    /** Pieces in a province. */
    int countIn(String item, @IslandKey String province);
}
