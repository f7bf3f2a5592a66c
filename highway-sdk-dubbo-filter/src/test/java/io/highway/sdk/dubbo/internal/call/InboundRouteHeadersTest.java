// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.dubbo.internal.signature.OutboundRouteHeaders;
import io.highway.sdk.dubbo.internal.signature.SignatureService;
import java.util.Map;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class InboundRouteHeadersTest {

    private static final OutboundRouteHeaders ZHEJIANG = new OutboundRouteHeaders("shanghai", "zhejiang/shop/1", null);

    private static RpcInvocation send() {
        return new RpcInvocation((ServiceModel) null, "send", "com.foo.Sms", "", new Class<?>[0], new Object[0]);
    }

    @ParameterizedTest
    @CsvSource({
        "shop-1.0_A~, shop-1.0_A~",
        "my shop, my_shop",
        "商店, __",
        "shopé, shop_",
        "a/b;c, a_b_c",
        "'a\r\nhighway-island: x', a__highway-island:_x",
        "'', ''"
    })
    void writesApplicationNamesInAscii(String application, String written) {
        assertThat(InboundRouteHeaders.sender("zhejiang", application, 1)).isEqualTo("zhejiang/" + written + "/1");
    }

    @Test
    void readsWhatItWrites() {
        RpcInvocation invocation = send();

        ZHEJIANG.write(invocation);

        assertThat(InboundRouteHeaders.read(invocation))
                .isEqualTo(new InboundRouteHeaders("shanghai", "zhejiang/shop/1", null));
        assertThat(invocation.getObjectAttachments())
                .containsOnlyKeys(HighwayAttachments.ISLAND, HighwayAttachments.FROM);
    }

    /** Failover, retries and health checks seal an attempt each. */
    @Test
    void signsEachAttemptAnew() {
        Policy policy = PolicyParser.parse(
                        RawSettings.of(
                                Map.of(
                                        "highway.island", "zhejiang",
                                        "highway.sign.key-id", "zhejiang-2026",
                                        "highway.sign.secret", "s3cr3t"),
                                "test"),
                        "static",
                        null)
                .orElseThrow();
        RpcInvocation invocation = send();
        new OutboundRouteHeaders(
                        "shanghai",
                        "zhejiang/shop/1",
                        SignatureService.of(policy, null).signerTo("shanghai"))
                .write(invocation);

        OutboundRouteHeaders.seal(invocation, "com.foo.Sms");
        String first = InboundRouteHeaders.read(invocation).sign();
        OutboundRouteHeaders.seal(invocation, "com.foo.Sms");
        String second = InboundRouteHeaders.read(invocation).sign();

        assertThat(first).isNotNull().isNotEqualTo(second);
    }

    @Test
    void replacesWhatAnUpstreamLeft() {
        RpcInvocation invocation = send();
        ZHEJIANG.write(invocation);
        invocation.setAttachment(HighwayAttachments.SIGN, "upstream");

        new OutboundRouteHeaders("beijing", "shanghai/bank/2", null).write(invocation);

        assertThat(InboundRouteHeaders.read(invocation))
                .isEqualTo(new InboundRouteHeaders("beijing", "shanghai/bank/2", null));
        assertThat(invocation.getObjectAttachments()).doesNotContainKey(HighwayAttachments.SIGN);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "value")
    void isNull_whenTheCallComesFromHome(String other) {
        RpcInvocation invocation = send();
        invocation.setAttachmentIfAbsent("traceparent", other);

        assertThat(InboundRouteHeaders.read(invocation)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {HighwayAttachments.ISLAND, HighwayAttachments.FROM, HighwayAttachments.SIGN})
    void isThere_whenAnyHeaderIs(String header) {
        RpcInvocation invocation = send();
        invocation.setAttachment(header, "value");

        InboundRouteHeaders headers = InboundRouteHeaders.read(invocation);

        assertThat(headers).isNotNull();
        assertThat(headers.island()).isEqualTo(header.equals(HighwayAttachments.ISLAND) ? "value" : "");
    }
}
