// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.it.RawHttpCaller.Answer;
import io.highway.sdk.dubbo.it.RawHttpCaller.Call;
import io.highway.tools.fixtures.http.MalformedRequests;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests over HTTP/1.1 that are not exactly one well-formed call: nothing of them runs. */
@Tag("network")
@Tag("any-dubbo")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileHttpTest {

    private final GuardedIsland shanghai = new GuardedIsland();

    @AfterAll
    void close() {
        shanghai.close();
    }

    private final Map<String, byte[]> requests =
            MalformedRequests.of(name -> Call.sell("tea").wellFormed());

    Stream<String> hostile() {
        return requests.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void runNothing(String name) throws IOException {
        shanghai.shop.received.clear();
        try (RawHttpCaller hostile = new RawHttpCaller(shanghai.httpAddress);
                RawHttpCaller other = new RawHttpCaller(shanghai.httpAddress)) {
            Answer answer = hostile.write(requests.get(name)).read();

            if (answer != null) {
                assertThat(answer.status()).containsAnyOf(" 400 ", " 413 ", " 404 ", " 403 ", " 501 ");
                assertThat(answer.headers()).doesNotContainKey("highway-refused");
            }
            assertThat(other.call(Call.slow(1)).result()).isEqualTo("shanghai:1");
            assertThat(shanghai.shop.received)
                    .extracting(ShopKeeper.Received::method)
                    .containsOnly("slow");
        }
    }
}
