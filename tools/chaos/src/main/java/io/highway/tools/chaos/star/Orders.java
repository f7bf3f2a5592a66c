// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.star;

import io.highway.tools.chaos.service.DeclinedException;
import io.highway.tools.chaos.service.OrderService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Accepts orders for one island: each is in its ledger before it is answered, and every seventh is declined. Answers
 * are delayed a little, so that a fault hits calls that have run and are not answered yet.
 */
record Orders(String island, LedgerWriter ledger) implements OrderService {

    private static final int DECLINED = 7;
    private static final long WORK_MILLIS = 5;

    private static final Executor AFTER_WORK = CompletableFuture.delayedExecutor(WORK_MILLIS, TimeUnit.MILLISECONDS);

    @Override
    public String query(int id, String note) throws DeclinedException {
        return take(id, note);
    }

    @Override
    public CompletableFuture<String> queryLater(int id, String note) {
        return takeLater(id, note);
    }

    @Override
    public String submit(int id, String note) throws DeclinedException {
        return take(id, note);
    }

    @Override
    public CompletableFuture<String> submitLater(int id, String note) {
        return takeLater(id, note);
    }

    private String take(int id, String note) throws DeclinedException {
        ledger.executed(id);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(WORK_MILLIS));
        return answer(id, note);
    }

    private String answer(int id, String note) throws DeclinedException {
        String answer = island + " " + id;
        if (id % DECLINED == 0) {
            throw new DeclinedException(answer);
        }
        return answer + note;
    }

    private CompletableFuture<String> takeLater(int id, String note) {
        ledger.executed(id);
        CompletableFuture<String> later = new CompletableFuture<>();
        AFTER_WORK.execute(() -> {
            try {
                later.complete(answer(id, note));
            } catch (DeclinedException e) {
                later.completeExceptionally(e);
            }
        });
        return later;
    }
}
