// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** Tests that share a star whose links and gateways fail when told to. */
abstract class OnFaultyStar {

    static FaultyStar star;
    final Told told = new Told();

    @BeforeAll
    static void start() {
        star = new FaultyStar();
    }

    @AfterEach
    void forget() {
        star.forget();
    }

    @AfterAll
    static void stop() {
        star.close();
    }
}
