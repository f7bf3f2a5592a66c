// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import io.highway.sdk.dubbo.internal.evidence.Failure;
import io.highway.sdk.dubbo.internal.route.GuardAnswer;
import org.jspecify.annotations.Nullable;

/**
 * How one {@code $echo} over an endpoint ended.
 *
 * @param failure its failure, which may be an answer of the destination, such as a refusal; null if it was echoed
 * @param guard what the destination's guard has added, or null: the destination may not have the SDK
 */
public record EchoAnswer(@Nullable Failure failure, @Nullable GuardAnswer guard) {

    static EchoAnswer failed(Failure failure) {
        return new EchoAnswer(failure, null);
    }
}
