// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import io.highway.sdk.Highway;

class SynchronousCall {

    private final SmsService shanghai;

    SynchronousCall(SmsService sms) {
        shanghai = Highway.to("shanghai").bind(SmsService.class, sms); // a proxy that always goes there
    }

    String send(String text) {
        return shanghai.send(text);
    }
}
