// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring.sms;

import io.highway.tools.monitoring.service.SmsService;
import java.util.concurrent.CompletableFuture;
import org.apache.dubbo.config.annotation.DubboService;

@DubboService
class Sms implements SmsService {

    @Override
    public CompletableFuture<String> send(String text) {
        return CompletableFuture.completedFuture("shanghai");
    }

    @Override
    public CompletableFuture<String> purge() {
        throw new IllegalStateException("the guard has let it pass");
    }
}
