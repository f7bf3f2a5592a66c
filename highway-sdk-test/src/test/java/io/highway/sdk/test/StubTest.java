// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.ServerService;
import org.apache.dubbo.rpc.model.ReflectionServiceDescriptor;
import org.apache.dubbo.rpc.model.ServiceDescriptor;
import org.apache.dubbo.rpc.stub.StubInvoker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Services that extend what Dubbo's compiler generates. */
@Tag("network")
class StubTest {

    /** As a generated {@code ImplBase} does. */
    static class SmsStub implements SmsService, ServerService<SmsService> {

        private final String answer;

        SmsStub(String answer) {
            this.answer = answer;
        }

        @Override
        public String send(String text) {
            return answer;
        }

        @Override
        public Invoker<SmsService> getInvoker(URL url) {
            return new StubInvoker<>(
                    this,
                    url,
                    SmsService.class,
                    Map.of("send", arguments -> CompletableFuture.completedFuture(send((String) arguments[0]))));
        }

        @Override
        public ServiceDescriptor getServiceDescriptor() {
            return new ReflectionServiceDescriptor(SmsService.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void serves_whatWasGivenLast(boolean real) {
        try (Islands islands = Islands.builder()
                .islands("shanghai")
                .property("highway.islands.shanghai.tunnel", "dubbo")
                .real(real)
                .start()) {
            SmsService sms = islands.reference(SmsService.class);
            TestIsland shanghai = islands.at("shanghai").serves(SmsService.class, new SmsStub("kept"));
            islands.reset();
            assertThat(sms.send("a")).isEqualTo("kept");

            shanghai.serves(SmsService.class, new SmsStub("stub"));
            assertThat(sms.send("a")).isEqualTo("stub");
            shanghai.serves(SmsService.class, text -> "lambda");
            assertThat(sms.send("a")).isEqualTo("lambda");

            islands.reset();
            assertThat(sms.send("a")).isEqualTo("kept");
        }
    }

    @Test
    void refusesAMock_thatHasNoServiceDescriptor() {
        try (Islands islands = Islands.builder().islands("shanghai").start()) {
            assertThatThrownBy(() -> islands.at("shanghai").serves(SmsService.class, mock(SmsStub.class)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("mock the interface instead");
        }
    }
}
