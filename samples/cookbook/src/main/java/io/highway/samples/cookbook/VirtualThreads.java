// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import io.highway.sdk.Highway;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

class VirtualThreads {

    private final SmsService sms;

    VirtualThreads(SmsService sms) {
        this.sms = sms;
    }

    List<String> sendAll(String island, List<String> texts) {
        try (ExecutorService threads = Highway.wrapExecutor(Executors.newVirtualThreadPerTaskExecutor())) {
            List<CompletableFuture<String>> sent = Highway.to(island).call(() -> texts.stream()
                    .map(text -> CompletableFuture.supplyAsync(() -> sms.send(text), threads))
                    .toList()); // toList() starts all tasks inside the scope
            return sent.stream().map(CompletableFuture::join).toList();
        }
    }
}
