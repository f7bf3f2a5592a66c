// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.call;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a call arrived over the HTTP tunnel, which its service's URL does not tell.
 *
 * @param id the same in all copies of the request, of which one may run; 0 if it has none, which is a problem
 * @param problem why the call must not run, whatever the guard is told of it, or null
 * @param refuse answers without a frame, for this reason
 */
public record InboundHttpTunnelCall(long id, @Nullable Problem problem, Consumer<String> refuse) {

    /**
     * What is wrong with a request.
     *
     * @param reason a word, such as {@code mismatch}
     * @param detail the cause, for people, without a full stop
     */
    public record Problem(String reason, String detail) {}
}
