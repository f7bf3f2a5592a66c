// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.dictionary;

/** Answers orders with a confirmation, both as JSON. */
public interface ShopService {
    String order(String json);
}
