// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.springboot.order;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.OutcomeListener;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.dubbo.rpc.Invocation;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Counts what each island has delivered, as the bills of its operator will. */
@RestController
class Deliveries implements OutcomeListener {

    private final Map<String, Integer> byIsland = new ConcurrentSkipListMap<>();

    @Override
    public void onOutcome(CallOutcome call, Invocation invocation) {
        if (call.outcome() == Outcome.DELIVERED && call.island() != null) {
            byIsland.merge(call.island(), 1, Integer::sum);
        }
    }

    @GetMapping("/deliveries")
    Map<String, Integer> byIsland() {
        return byIsland;
    }
}
