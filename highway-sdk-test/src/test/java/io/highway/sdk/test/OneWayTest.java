// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls whose callers wait for no answer. */
@Tag("network")
class OneWayTest {

    @ParameterizedTest
    @CsvSource({"dubbo, false", "http, false", "triple, false", "dubbo, true", "http, true", "triple, true"})
    void learnsNothing_unlessOverTriple(String tunnel, boolean real) {
        try (Islands islands = Islands.builder()
                .islands("shanghai")
                .real(real)
                .property("highway.islands.shanghai.tunnel", tunnel)
                .start()) {
            SmsService sms = islands.reference(SmsService.class);
            islands.at("shanghai").serves(SmsService.class, text -> "ok").refuses(Reason.REFUSED_THERE);

            Throwable thrown =
                    catchThrowable(() -> RpcContext.getServiceContext().asyncCall(() -> {
                        String unused = sms.send("a");
                    }));

            boolean isWaiting = tunnel.equals("triple");
            assertThat(thrown != null).isEqualTo(isWaiting);
            await().untilAsserted(
                            () -> assertThat(islands.at("shanghai").calls()).hasSize(1));
            assertThat(islands.outcomes())
                    .singleElement()
                    .extracting(outcome -> outcome.outcome() == Outcome.DELIVERED)
                    .isEqualTo(!isWaiting);
        }
    }
}
