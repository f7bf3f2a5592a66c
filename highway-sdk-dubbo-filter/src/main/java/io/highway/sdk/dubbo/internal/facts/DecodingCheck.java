// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.facts;

import io.netty.buffer.ByteBuf;

/** Refuses values of another process that would take too much time or memory to decode. Thread-safe. */
public final class DecodingCheck {

    private DecodingCheck() {}

    /**
     * Requires that values can be decoded in the time and memory that their size lets expect: no length goes beyond the
     * bytes, they are nested at most 1,000 deep, and at most 50 million values, and 16 per byte, are hashed. References in
     * fastjson2 count as one value.
     *
     * @param values one or several, as an {@code ObjectOutput} of Dubbo writes them; its reader index is not moved
     * @param serialization its id; of others than hessian2 (2) and fastjson2 (23) nothing is required
     * @return the values
     * @throws UnreadableRequestException if they cannot
     */
    public static ByteBuf require(ByteBuf values, int serialization) {
        if (DubboRequestFacts.canRead(serialization)) {
            BodyScanners.of(values, serialization).walk();
        }
        return values;
    }

    /** As the other method, of a serialization by the name in a wrapper of Triple. */
    public static ByteBuf require(ByteBuf values, String serializeType) {
        return require(values, BodyScanners.id(serializeType));
    }
}
