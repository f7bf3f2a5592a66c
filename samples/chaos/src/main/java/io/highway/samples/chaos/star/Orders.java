// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.chaos.star;

import io.highway.samples.chaos.service.DeclinedException;
import io.highway.samples.chaos.service.OrderService;
import java.util.concurrent.CompletableFuture;

/** Takes orders for one island: each is in its ledger before it is answered, and every seventh is declined. */
final class Orders implements OrderService {

    private static final int DECLINED = 7;

    private final String island;
    private final LedgerWriter ledger;

    Orders(String island, LedgerWriter ledger) {
        this.island = island;
        this.ledger = ledger;
    }

    @Override
    public String query(int id) throws DeclinedException {
        return take(id);
    }

    @Override
    public CompletableFuture<String> queryLater(int id) {
        return takeLater(id);
    }

    @Override
    public String submit(int id) throws DeclinedException {
        return take(id);
    }

    @Override
    public CompletableFuture<String> submitLater(int id) {
        return takeLater(id);
    }

    @Override
    public String island() {
        return island;
    }

    private String take(int id) throws DeclinedException {
        ledger.executed(id);
        String answer = island + " " + id;
        if (id % DECLINED == 0) {
            throw new DeclinedException(answer);
        }
        return answer;
    }

    private CompletableFuture<String> takeLater(int id) {
        try {
            return CompletableFuture.completedFuture(take(id));
        } catch (DeclinedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
