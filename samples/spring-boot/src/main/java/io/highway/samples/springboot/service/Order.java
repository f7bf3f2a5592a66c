// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.springboot.service;

import java.io.Serializable;

/** An order and where it goes. */
public record Order(long id, Address address) implements Serializable {

    /**
     * Where an order goes.
     *
     * @param area the area's dialling code, such as {@code 021}, or its postal code
     */
    public record Address(String area) implements Serializable {}
}
