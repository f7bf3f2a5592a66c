// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;

class OwnFallback {

    private final SmsService sms;

    OwnFallback(SmsService sms) {
        this.sms = sms;
    }

    String send(String island, String text) {
        try {
            return Highway.to(island).call(() -> sms.send(text));
        } catch (HighwayException e) {
            if (e.mayHaveRun()) {
                throw e; // it may have run: a second call could send the text twice
            }
            return Highway.home().call(() -> sms.send(text));
        }
    }
}
