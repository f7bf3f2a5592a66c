// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import io.highway.sdk.dubbo.internal.policy.ZstdDictionary;
import org.jspecify.annotations.Nullable;

/**
 * How the messages of a call are compressed. As text it is the value of {@link GrpcMessageCompression#KEY}: the encoding of
 * the request, then the one with a dictionary that its answers may have, if there is one.
 *
 * @param request the {@code grpc-encoding} of the request
 * @param dictionary the encoding with the dictionary of the island, or null if it has none
 */
record ChosenEncoding(String request, @Nullable String dictionary) {

    /** Reads the text. */
    static ChosenEncoding of(String text) {
        int comma = text.indexOf(',');
        String request = comma < 0 ? text : text.substring(0, comma);
        return new ChosenEncoding(
                request,
                comma >= 0 ? text.substring(comma + 1) : request.startsWith(ZstdDictionary.PREFIX) ? request : null);
    }
}
