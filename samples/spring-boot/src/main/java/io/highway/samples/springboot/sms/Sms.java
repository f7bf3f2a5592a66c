// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.springboot.sms;

import io.highway.samples.springboot.service.Order;
import io.highway.samples.springboot.service.SmsService;
import java.util.concurrent.CompletableFuture;
import org.apache.dubbo.config.annotation.DubboService;
import org.springframework.context.annotation.Profile;

/** Sends by the operator of this island; home has none. */
@DubboService
@Profile("!zhejiang")
class Sms implements SmsService {

    private final Stamp stamp;

    Sms(Stamp stamp) {
        this.stamp = stamp;
    }

    @Override
    public String send(String text) {
        return stamp.on("sent " + text);
    }

    @Override
    public CompletableFuture<String> sendLater(String text) {
        String answer = send(text);
        return CompletableFuture.supplyAsync(() -> answer);
    }

    @Override
    public String sendFor(Order order) {
        return send("order " + order.id());
    }
}
