// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.star;

import io.highway.tools.security.service.AccountService;
import io.highway.tools.security.service.ReserveService;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Writes each call into a ledger before it answers: a line with the time and the method. */
final class Bank implements AccountService, ReserveService {

    private final OutputStream ledger;

    Bank(Path ledger) throws IOException {
        this.ledger = new FileOutputStream(ledger.toFile(), true);
    }

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
        String line = System.currentTimeMillis() + " " + method + "\n";
        try {
            ledger.write(line.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return method + " of " + account;
    }
}
