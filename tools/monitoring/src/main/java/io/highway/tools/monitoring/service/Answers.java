// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring.service;

import java.util.concurrent.CompletableFuture;

/** Both services of one island. */
public record Answers(String island) implements SmsService, ReportService {

    @Override
    public CompletableFuture<String> send(String text) {
        return CompletableFuture.completedFuture(island);
    }

    @Override
    public CompletableFuture<String> purge() {
        return CompletableFuture.completedFuture(island);
    }

    @Override
    public CompletableFuture<String> report(int day) {
        return CompletableFuture.completedFuture(island);
    }
}
