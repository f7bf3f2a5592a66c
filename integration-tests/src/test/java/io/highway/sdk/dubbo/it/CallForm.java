// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import com.google.protobuf.StringValue;
import io.highway.sdk.Highway;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** How a call is made: each {@link Mode}, and by a service of protobuf, which Triple answers with a status. */
enum CallForm {
    SYNC(Mode.SYNC),
    COMPLETABLE_FUTURE(Mode.COMPLETABLE_FUTURE),
    ASYNC_CALL(Mode.ASYNC_CALL),
    GENERIC(Mode.GENERIC),
    GENERIC_ASYNC(Mode.GENERIC_ASYNC),
    PROTOBUF(null),
    PROTOBUF_FUTURE(null);

    private final Mode mode;

    CallForm(Mode mode) {
        this.mode = mode;
    }

    boolean isProtobuf() {
        return mode == null;
    }

    /** Those that a tunnel can carry. */
    static Stream<CallForm> over(Tunnel tunnel) {
        return Stream.of(values()).filter(form -> tunnel == Tunnel.TRIPLE || !form.isProtobuf());
    }

    private Object call(ShopReferences shop, HostileService protobuf, String item) throws Throwable {
        return switch (this) {
            case PROTOBUF -> protobuf.act(StringValue.of(item));
            case PROTOBUF_FUTURE -> protobuf.actLater(StringValue.of(item)).get(10, TimeUnit.SECONDS);
            default -> mode.sell(shop.typed(), shop.generic(), item);
        };
    }

    /** What a call to shanghai that must fail ended with. */
    Throwable failure(ShopReferences shop, HostileService protobuf, String item) {
        try {
            Object answer = Highway.to("shanghai").callChecked(() -> call(shop, protobuf, item));
            return new AssertionError("answered " + answer);
        } catch (Throwable e) {
            return core(e);
        }
    }

    /** What a future's failure wraps. */
    static Throwable core(Throwable thrown) {
        Throwable core = thrown;
        while ((core instanceof ExecutionException || core instanceof CompletionException) && core.getCause() != null) {
            core = core.getCause();
        }
        return core;
    }
}
