// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.star;

import io.highway.tools.processes.Folders;
import io.highway.tools.security.service.ReserveService;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Writes each call into a ledger before it answers: a line with the time and the method. */
record Bank(Path ledger) implements ReserveService {

    @Override
    public String balance(String account) {
        return executed("balance", account);
    }

    @Override
    public CompletableFuture<String> balanceLater(String account) {
        return CompletableFuture.completedFuture(executed("balanceLater", account));
    }

    @Override
    public String payment(String account) {
        return executed("payment", account);
    }

    private synchronized String executed(String method, String account) {
        Folders.append(ledger, System.currentTimeMillis() + " " + method);
        return method + " of " + account;
    }
}
