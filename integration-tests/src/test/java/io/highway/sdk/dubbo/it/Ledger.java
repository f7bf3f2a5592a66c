// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import io.highway.sdk.Caller;
import io.highway.sdk.Highway;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A service whose methods should not be confused. */
public interface Ledger {

    String balance(String account);

    String transfer(String account);

    /** An overload. */
    String transfer(String account, int amount);

    CompletableFuture<String> balanceLater(String account);

    /** Keeps what was executed, and for whom. */
    final class Book implements Ledger {

        record Entry(String method, Caller caller) {}

        final Queue<Entry> entries = new ConcurrentLinkedQueue<>();

        private String enter(String method) {
            entries.add(new Entry(method, Highway.caller().orElse(null)));
            return method;
        }

        @Override
        public String balance(String account) {
            return enter("balance");
        }

        @Override
        public String transfer(String account) {
            return enter("transfer");
        }

        @Override
        public String transfer(String account, int amount) {
            return enter("transfer of " + amount);
        }

        @Override
        public CompletableFuture<String> balanceLater(String account) {
            return CompletableFuture.completedFuture(enter("balanceLater"));
        }
    }
}
