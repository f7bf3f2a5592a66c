// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.TunnelKind;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call that has reached a provider.
 *
 * @param island where it was served
 * @param call {@code interface#method}; of a generic call, the method that it names
 * @param arguments as the provider received them; a service that changes one of them changes it here, too
 * @param attachments as the provider received them, without those of the SDK
 * @param caller the caller as the guard knows it, or null for a call from home
 * @param tunnel the protocol that carried it, or null for a call from home
 * @param result how it ended at the provider
 */
public record RecordedCall(
        String island,
        String call,
        List<@Nullable Object> arguments,
        Map<String, Object> attachments,
        @Nullable Caller caller,
        @Nullable TunnelKind tunnel,
        Result result) {

    /** How a call ended at the provider. */
    public enum Result {
        /** It returned. */
        ANSWERED,
        /** It threw an exception. */
        THREW,
        /** It was executed, and its answer is lost. */
        LOST,
        /** It was refused, and not executed. */
        REFUSED
    }

    boolean isOf(Class<?> service) {
        return call.startsWith(service.getName() + "#");
    }
}
