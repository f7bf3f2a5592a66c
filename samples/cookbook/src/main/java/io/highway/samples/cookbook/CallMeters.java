// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.OutcomeListener;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.dubbo.rpc.Invocation;
import org.springframework.stereotype.Component;

@Component
class CallMeters implements OutcomeListener {

    private final MeterRegistry meters;

    CallMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    @Override
    public void onOutcome(CallOutcome outcome, Invocation invocation) { // once per call to an island; must not block
        if (outcome.outcome() == Outcome.DELIVERED) {
            meters.timer("sms.delivered", "call", outcome.call()).record(outcome.duration());
        } else {
            meters.counter("sms.failed", "reason", String.valueOf(outcome.reason()))
                    .increment();
        }
    }
}
