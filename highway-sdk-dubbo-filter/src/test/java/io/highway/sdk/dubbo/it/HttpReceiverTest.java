// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.it.RawHttpCaller.Answer;
import io.highway.sdk.dubbo.it.RawHttpCaller.Call;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls over HTTP/1.1 at a real provider. */
@Tag("network")
@Tag("any-dubbo")
class HttpReceiverTest {

    private final GuardedIsland shanghai = new GuardedIsland("highway.http.receive", "true");
    private RawHttpCaller caller;

    @BeforeEach
    void connect() throws IOException {
        caller = new RawHttpCaller(shanghai.tripleAddress);
    }

    @AfterEach
    void close() throws IOException {
        caller.close();
        shanghai.close();
    }

    private List<String> ran() {
        return shanghai.shop.received.stream().map(ShopKeeper.Received::method).toList();
    }

    @Test
    void answersCalls_withValues_exceptions_andAttachments() throws IOException {
        Answer sold = caller.call(Call.sell("tea"));

        assertThat(sold.status()).isEqualTo("HTTP/1.1 200 OK");
        assertThat(sold.headers()).containsEntry("content-type", "application/x-dubbo");
        assertThat(sold.result()).isEqualTo("shanghai:tea");
        assertThat(sold.attachments()).containsEntry("shop-island", "shanghai");
        assertThat(caller.call(new Call("refuse", "Ljava/lang/String;", "no")).result())
                .isInstanceOfSatisfying(Shop.SoldOutException.class, thrown -> assertThat(thrown)
                        .hasMessage("shanghai:no"));
        assertThat(caller.call(new Call("note", "Ljava/lang/String;", "tea")).result())
                .isNull();
        assertThat(caller.call(new Call("sellLater", "Ljava/lang/String;", "tea"))
                        .result())
                .isEqualTo("shanghai:tea");
        assertThat(caller.call(new Call("$echo", "Ljava/lang/Object;", "sound")).result())
                .isEqualTo("sound");
        assertThat(shanghai.shop.received)
                .filteredOn(call -> call.method().equals("sell"))
                .singleElement()
                .satisfies(call -> {
                    assertThat(call.caller()).hasToString("zhejiang/orders");
                    assertThat(call.attachments().keySet()).noneMatch(name -> name.startsWith("highway-"));
                });
    }

    @Test
    void answersGenericCalls() throws IOException {
        Call call = new Call(
                "$invoke",
                "Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;",
                "sell",
                new String[] {"java.lang.String"},
                new Object[] {"tea"});
        call.attachments.put("generic", "true");

        assertThat(caller.call(call).result()).isEqualTo("shanghai:tea");
    }

    @Test
    void findsAServiceOfAGroupAndVersion_thatOnlyTripleExports() throws IOException {
        Call call = Call.sell("tea");
        call.attachments.putAll(Map.of("group", "blue", "version", "2.0.0"));

        assertThat(caller.call(call).result()).isEqualTo("shanghai:tea");
        call = Call.sell("tea");
        call.attachments.putAll(Map.of("group", "blue"));
        assertThat(caller.call(call).refused()).startsWith("shanghai;no-such-service");
    }
}
