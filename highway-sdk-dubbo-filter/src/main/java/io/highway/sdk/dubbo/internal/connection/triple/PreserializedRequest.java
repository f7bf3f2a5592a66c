// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.evidence.NotWrittenException;
import org.apache.dubbo.rpc.model.PackableMethod;
import org.jspecify.annotations.Nullable;

/**
 * A Triple request, serialised once and ahead of time: Triple sends the headers before it serialises, which is too late
 * to refuse a request for its size. The calling thread keeps the bytes until {@link PreserializedMethods} takes them;
 * only Dubbo's own invoker runs in between.
 */
public final class PreserializedRequest implements AutoCloseable {

    /** Static, since Dubbo creates what takes it; set for the time of one call on its thread. */
    private static final ThreadLocal<@Nullable PreserializedRequest> WAITING = new ThreadLocal<>();

    private final @Nullable Object[] arguments;
    private final byte[] bytes;

    private PreserializedRequest(@Nullable Object[] arguments, byte[] bytes) {
        this.arguments = arguments;
        this.bytes = bytes;
    }

    /** Serialises the arguments of a call and keeps the bytes until {@link #close()}. */
    public static PreserializedRequest pack(PackableMethod method, @Nullable Object[] arguments) {
        try {
            PreserializedRequest packed = new PreserializedRequest(arguments, method.packRequest(arguments));
            WAITING.set(packed);
            return packed;
        } catch (OutOfMemoryError e) {
            throw new NotWrittenException(Reason.BUSY, NotWrittenException.NO_MEMORY + e, e);
        } catch (Exception e) {
            throw new NotWrittenException(Reason.SERIALIZATION, NotWrittenException.UNWRITABLE + e, e);
        }
    }

    /** Takes the bytes that were serialised from these arguments (by identity), or null. */
    static byte @Nullable [] take(@Nullable Object request) {
        PreserializedRequest packed = WAITING.get();
        if (packed == null || packed.arguments != request) {
            return null;
        }
        WAITING.set(null);
        return packed.bytes;
    }

    public int size() {
        return bytes.length;
    }

    @Override
    public void close() {
        WAITING.set(null); // in case Triple did not take them
    }
}
