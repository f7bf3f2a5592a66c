// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import io.highway.sdk.dubbo.IslandAnswer;
import io.highway.sdk.dubbo.IslandCalls;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

class EachIsland {

    private final SmsService sms;

    EachIsland(SmsService sms) {
        this.sms = sms;
    }

    Map<String, String> sendToEach(List<String> islands, String text) {
        Map<String, IslandAnswer<String>> answers =
                IslandCalls.each(islands, Duration.ofSeconds(2), () -> sms.send(text));
        Map<String, String> lines = new LinkedHashMap<>();
        answers.forEach((island, answer) -> lines.put(
                island, answer.isAnswered() ? answer.value() : answer.mayHaveRun() ? "maybe sent" : "not sent"));
        return lines;
    }
}
