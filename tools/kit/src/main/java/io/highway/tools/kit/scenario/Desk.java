// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit.scenario;

import io.highway.sdk.Island;

/** The service that the scenarios call. */
@Island("shanghai")
interface Desk {

    String SOLD_OUT = "sold out";

    String ask(String text) throws SoldOutException;

    /** Where and what was asked. */
    static String answer(String island, String text) throws SoldOutException {
        if (text.equals(SOLD_OUT)) {
            throw new SoldOutException();
        }
        return island + ": " + text;
    }

    /** Of the service. */
    final class SoldOutException extends Exception {

        private static final long serialVersionUID = 1L;

        SoldOutException() {
            super(SOLD_OUT);
        }
    }
}
