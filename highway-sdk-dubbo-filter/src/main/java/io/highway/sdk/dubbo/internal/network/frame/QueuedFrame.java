// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.frame;

import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.network.connection.IslandTraffic;
import java.util.concurrent.Executor;
import org.apache.dubbo.common.URL;
import org.jspecify.annotations.Nullable;

/**
 * A request that is ready to be queued.
 *
 * @param url of the invoker
 * @param body is released when the request is written or has ended
 * @param executor decodes the answer, and completes the call
 * @param evidence null if the call is not one of the SDK
 * @param timeoutMillis from now on
 * @param traffic counts it, unless it is null
 */
record QueuedFrame(
        URL url,
        RequestFrame request,
        EncodedFrame body,
        Executor executor,
        @Nullable AttemptEvidence evidence,
        long timeoutMillis,
        IslandTraffic.@Nullable Bytes traffic) {}
