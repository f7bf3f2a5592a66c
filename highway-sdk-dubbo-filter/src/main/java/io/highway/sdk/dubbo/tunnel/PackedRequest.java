// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import io.highway.sdk.dubbo.outcome.Failure;
import io.highway.sdk.dubbo.outcome.NotWrittenException;
import io.highway.sdk.dubbo.route.Reason;
import org.apache.dubbo.rpc.model.PackableMethod;
import org.jspecify.annotations.Nullable;

/**
 * A Triple request, serialised once, ahead of time: Triple sends the headers first and serialises then, which is too late
 * to refuse a request for its size. The bytes wait on the calling thread until {@link PackedMethods} hands them over;
 * nothing but Dubbo's own invoker runs in between.
 */
final class PackedRequest implements AutoCloseable {

    private static final ThreadLocal<@Nullable PackedRequest> WAITING = new ThreadLocal<>();

    private final @Nullable Object[] arguments;
    private final byte[] bytes;

    private PackedRequest(@Nullable Object[] arguments, byte[] bytes) {
        this.arguments = arguments;
        this.bytes = bytes;
    }

    /** Serialises the arguments of a call and lets them wait until {@link #close()}. */
    static PackedRequest pack(PackableMethod method, @Nullable Object[] arguments) {
        try {
            PackedRequest packed = new PackedRequest(arguments, method.packRequest(arguments));
            WAITING.set(packed);
            return packed;
        } catch (OutOfMemoryError e) {
            throw new NotWrittenException(Reason.BUSY, Failure.NO_MEMORY + e, e);
        } catch (Exception e) {
            throw new NotWrittenException(Reason.SERIALIZATION, Failure.UNWRITABLE + e, e);
        }
    }

    /** The bytes that wait for these very arguments, once, or null. */
    static byte @Nullable [] take(@Nullable Object request) {
        PackedRequest packed = WAITING.get();
        if (packed == null || packed.arguments != request) {
            return null;
        }
        WAITING.set(null);
        return packed.bytes;
    }

    int size() {
        return bytes.length;
    }

    @Override
    public void close() {
        WAITING.set(null); // where Triple did not ask for them
    }
}
