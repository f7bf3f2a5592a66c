// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import io.highway.sdk.Highway;
import java.util.concurrent.CompletableFuture;

class FutureComposition {

    private final SmsService shanghai;
    private final SmsService beijing;

    FutureComposition(SmsService sms) {
        shanghai = Highway.to("shanghai").bind(SmsService.class, sms);
        beijing = Highway.to("beijing").bind(SmsService.class, sms);
    }

    CompletableFuture<String> sendToBoth(String text) { // at the same time
        return shanghai.sendAsync(text).thenCombine(beijing.sendAsync(text), (first, second) -> first + ", " + second);
    }

    CompletableFuture<String> forward(String text) { // one after the other
        return shanghai.sendAsync(text).thenCompose(beijing::sendAsync);
    }
}
