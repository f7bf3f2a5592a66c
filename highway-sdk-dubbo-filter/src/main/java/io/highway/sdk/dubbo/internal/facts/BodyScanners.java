// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.facts;

import io.netty.buffer.ByteBuf;

/** The serializations that can be read, by Dubbo's ids. */
final class BodyScanners {

    static final int HESSIAN2 = 2;
    static final int FASTJSON2 = 23;

    private BodyScanners() {}

    /** By the name in a wrapper of Triple; 0 of a serialization that cannot be read. */
    static int id(String serializeType) {
        return switch (serializeType) {
            case "hessian2", "hessian4" -> HESSIAN2;
            case "fastjson2" -> FASTJSON2;
            default -> 0;
        };
    }

    static BodyScanner of(ByteBuf body, int serialization) {
        return switch (serialization) {
            case HESSIAN2 -> new Hessian2Scanner(body);
            case FASTJSON2 -> new JsonbScanner(body);
            default ->
                throw new UnreadableRequestException(
                        "serialization id " + serialization + "; hessian2 (2) and fastjson2 (23) can be read");
        };
    }
}
