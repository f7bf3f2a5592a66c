// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.triple;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.connection.channel.NotWrittenException;
import org.apache.dubbo.rpc.model.PackableMethod;
import org.jspecify.annotations.Nullable;

/**
 * A Triple request, serialised once, ahead of time: Triple sends the headers first and serialises then, which is too late
 * to refuse a request for its size. The bytes wait on the calling thread until {@link PreserializedMethods} hands them over;
 * nothing but Dubbo's own invoker runs in between.
 */
public final class PreserializedRequest implements AutoCloseable {

    private static final ThreadLocal<@Nullable PreserializedRequest> WAITING = new ThreadLocal<>();

    private final @Nullable Object[] arguments;
    private final byte[] bytes;

    private PreserializedRequest(@Nullable Object[] arguments, byte[] bytes) {
        this.arguments = arguments;
        this.bytes = bytes;
    }

    /** Serialises the arguments of a call and lets them wait until {@link #close()}. */
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

    /** The bytes that wait for these very arguments, once, or null. */
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
        WAITING.set(null); // where Triple did not ask for them
    }
}
