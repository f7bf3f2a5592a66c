// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import io.highway.sdk.Highway;
import java.util.List;
import java.util.concurrent.CompletableFuture;

class Batch {

    private final SmsService sms;

    Batch(SmsService sms) {
        this.sms = sms;
    }

    CompletableFuture<List<String>> sendAll(String island, List<String> texts) {
        List<CompletableFuture<String>> calls = texts.stream()
                .map(text -> Highway.to(island).call(() -> sms.sendAsync(text)))
                .toList();
        return CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new))
                .thenApply(done -> calls.stream().map(CompletableFuture::join).toList());
    }
}
