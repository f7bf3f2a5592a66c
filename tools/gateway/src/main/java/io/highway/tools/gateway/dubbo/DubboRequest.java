// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway.dubbo;

import io.highway.sdk.dubbo.internal.facts.RequestFacts;
import io.highway.sdk.dubbo.internal.facts.UnreadableRequestException;
import org.jspecify.annotations.Nullable;

/** The parts of a request that a gateway needs: its service and its island. */
public record DubboRequest(
        String service, @Nullable String version, String method, @Nullable String group, @Nullable String island) {

    /**
     * Reads the head and the trailing attachments; the arguments in between are stepped over.
     *
     * @throws UnreadableRequestException when the serialization is unknown or the bytes do not follow it
     */
    public static DubboRequest read(DubboFrame frame) {
        RequestFacts facts = RequestFacts.ofBody(frame.body(), frame.serialization());
        return new DubboRequest(
                facts.service(),
                facts.version(),
                facts.method(),
                facts.attachments().get("group"),
                facts.attachments().get("highway-island"));
    }
}
