// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import io.highway.sdk.dubbo.HighwayException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.GenericService;

/** The kinds of call of {@code sell} and {@code refuse}; every behaviour is the same for all of them. */
enum Mode {
    SYNC {
        @Override
        String sell(Shop shop, GenericService generic, String item) {
            return shop.sell(item);
        }

        @Override
        void refuse(Shop shop, GenericService generic, String why) throws Throwable {
            shop.refuse(why);
        }
    },
    COMPLETABLE_FUTURE {
        @Override
        String sell(Shop shop, GenericService generic, String item) throws Throwable {
            return outcome(() -> shop.sellLater(item).get(10, TimeUnit.SECONDS));
        }

        @Override
        void refuse(Shop shop, GenericService generic, String why) throws Throwable {
            outcome(() -> shop.refuseLater(why).get(10, TimeUnit.SECONDS));
        }
    },
    ASYNC_CALL {
        @Override
        String sell(Shop shop, GenericService generic, String item) throws Throwable {
            return outcome(() -> RpcContext.getServiceContext()
                    .asyncCall(() -> shop.sell(item))
                    .get(10, TimeUnit.SECONDS));
        }

        @Override
        void refuse(Shop shop, GenericService generic, String why) throws Throwable {
            outcome(() -> RpcContext.getServiceContext()
                    .asyncCall(() -> shop.refuse(why))
                    .get(10, TimeUnit.SECONDS));
        }
    },
    GENERIC {
        @Override
        String sell(Shop shop, GenericService generic, String item) {
            return (String) generic.$invoke("sell", STRING, new Object[] {item});
        }

        @Override
        void refuse(Shop shop, GenericService generic, String why) {
            generic.$invoke("refuse", STRING, new Object[] {why});
        }
    },
    GENERIC_ASYNC {
        @Override
        String sell(Shop shop, GenericService generic, String item) throws Throwable {
            return (String) outcome(() ->
                    generic.$invokeAsync("sell", STRING, new Object[] {item}).get(10, TimeUnit.SECONDS));
        }

        @Override
        void refuse(Shop shop, GenericService generic, String why) throws Throwable {
            outcome(() ->
                    generic.$invokeAsync("refuse", STRING, new Object[] {why}).get(10, TimeUnit.SECONDS));
        }
    };

    private static final String[] STRING = {"java.lang.String"};

    abstract String sell(Shop shop, GenericService generic, String item) throws Throwable;

    abstract void refuse(Shop shop, GenericService generic, String why) throws Throwable;

    boolean isGeneric() {
        return this == GENERIC || this == GENERIC_ASYNC;
    }

    /** A call that may throw anything. */
    private interface Waiting<T> {
        T get() throws Throwable;
    }

    /** What the call itself threw, without the wrapping of its kind of call. */
    private static <T> T outcome(Waiting<T> call) throws Throwable {
        try {
            return call.get();
        } catch (ExecutionException | CompletionException e) {
            Throwable cause = e.getCause();
            throw cause instanceof ExecutionException && cause.getCause() instanceof HighwayException
                    ? cause.getCause()
                    : cause;
        }
    }
}
