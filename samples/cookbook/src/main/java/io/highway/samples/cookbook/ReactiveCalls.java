// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import io.highway.sdk.Highway;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class ReactiveCalls {

    private final SmsService sms;

    ReactiveCalls(SmsService sms) {
        this.sms = sms;
    }

    Flux<String> sendToEach(List<String> islands, String text) {
        return Flux.fromIterable(islands).flatMap(island -> sendTo(island, text));
    }

    Mono<String> sendTo(String island, String text) {
        SmsService there = Highway.to(island).bind(SmsService.class, sms);
        return Mono.fromFuture(() -> there.sendAsync(text)); // one call per subscription
    }
}
