// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway.dubbo;

/** Serialization ids of the Dubbo protocol that the gateway can look into. */
final class Serialization {
    static final int HESSIAN2 = 2;
    static final int FASTJSON2 = 23;

    private Serialization() {}
}
