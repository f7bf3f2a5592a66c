// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

class IslandLoop {

    private final SmsService sms;

    IslandLoop(SmsService sms) {
        this.sms = sms;
    }

    Map<String, String> sendToEach(List<String> islands, String text) {
        Map<String, String> answers = new LinkedHashMap<>();
        for (String island : islands) {
            try {
                answers.put(island, Highway.to(island).call(() -> sms.send(text)));
            } catch (HighwayException e) { // only this island
                answers.put(island, "failed: " + e.reason());
            }
        }
        return answers;
    }
}
