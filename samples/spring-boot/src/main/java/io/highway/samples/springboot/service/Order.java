// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.springboot.service;

import java.io.Serializable;

/** An order and its address. */
public record Order(long id, Address address) implements Serializable {

    /**
     * The address of an order.
     *
     * @param area the area's dialling code, such as {@code 021}, or its postal code
     */
    public record Address(String area) implements Serializable {}
}
