// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.dubbo.policy.SigningPolicy;
import java.util.Map;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteHeadersTest {

    private static final long NOW = 1_795_200_000;
    private static final SigningPolicy OFF = new SigningPolicy(null, null, Map.of());
    private static final SigningPolicy ZHEJIANG = new SigningPolicy("zhejiang-2026", "s3cr3t 密", Map.of());
    private static final Map<String, String> ACCEPTED = Map.of("zhejiang-2026", "s3cr3t 密", "beijing-2026", "other");

    private static RpcInvocation send() {
        return new RpcInvocation((ServiceModel) null, "send", "com.foo.Sms", "", new Class<?>[0], new Object[0]);
    }

    private static RouteHeaders signed() {
        return RouteHeaders.of("shanghai", "zhejiang/shop/1", ZHEJIANG, NOW);
    }

    private static String signature(RouteHeaders headers) {
        return headers.sign().substring(headers.sign().indexOf("sig=") + 4);
    }

    @Test
    void namesDestinationAndOrigin() {
        RouteHeaders headers = RouteHeaders.of("shanghai", "zhejiang/shop/2", OFF, NOW);

        assertThat(headers).isEqualTo(new RouteHeaders("shanghai", "zhejiang/shop/2", null));
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
        RouteHeaders headers = RouteHeaders.of("shanghai", RouteHeaders.sender("zhejiang", application, 1), OFF, NOW);

        assertThat(headers.from()).isEqualTo("zhejiang/" + written + "/1");
    }

    @Test
    void signsInOneShortAsciiValue() {
        RouteHeaders headers = signed();

        assertThat(headers.sign()).matches("v1;kid=zhejiang-2026;ts=" + NOW + ";sig=[A-Za-z0-9_-]{43}");
        assertThat(headers.sign()).isEqualTo(signed().sign());
    }

    @Test
    void isValid_whenNothingWasChanged() {
        assertThat(signed().signatureProblem(ACCEPTED, NOW)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"-300,", "-299,", "0,", "300,", "-301, expired-signature", "301, expired-signature"})
    void isValidForFiveMinutes_beforeAndAfter(long seconds, String problem) {
        assertThat(signed().signatureProblem(ACCEPTED, NOW + seconds)).isEqualTo(problem);
    }

    @Test
    void acceptsAnything_whenNoKeyIsAccepted() {
        assertThat(new RouteHeaders("shanghai", null, null).signatureProblem(Map.of(), NOW))
                .isNull();
        assertThat(new RouteHeaders("shanghai", null, "garbage").signatureProblem(Map.of(), NOW))
                .isNull();
        assertThat(signed().signatureProblem(Map.of(), NOW + 10_000)).isNull();
    }

    @Test
    void refusesAnUnsignedCall() {
        RouteHeaders unsigned = RouteHeaders.of("shanghai", "zhejiang/shop/1", OFF, NOW);

        assertThat(unsigned.signatureProblem(ACCEPTED, NOW)).isEqualTo("unsigned");
    }

    @Test
    void refusesAnUnknownKey_andAnotherKeysSecret() {
        assertThat(signed().signatureProblem(Map.of("beijing-2026", "other"), NOW))
                .isEqualTo("unknown-key");
        assertThat(signed().signatureProblem(Map.of("zhejiang-2026", "wrong"), NOW))
                .isEqualTo("wrong-signature");
    }

    @Test
    void refusesASignatureUnderAnotherKeyId() {
        String sign = signed().sign().replace("kid=zhejiang-2026", "kid=beijing-2026");

        assertThat(new RouteHeaders("shanghai", signed().from(), sign).signatureProblem(ACCEPTED, NOW))
                .isEqualTo("wrong-signature");
    }

    @Test
    void refusesATamperedIslandOrigin_orTime() {
        RouteHeaders headers = signed();
        String later = headers.sign().replace("ts=" + NOW, "ts=" + (NOW + 1));

        assertThat(new RouteHeaders("beijing", headers.from(), headers.sign()).signatureProblem(ACCEPTED, NOW))
                .isEqualTo("wrong-signature");
        assertThat(new RouteHeaders("shanghai", "beijing/shop/1", headers.sign()).signatureProblem(ACCEPTED, NOW))
                .isEqualTo("wrong-signature");
        assertThat(new RouteHeaders("shanghai", "zhejiang/shop/0", headers.sign()).signatureProblem(ACCEPTED, NOW))
                .isEqualTo("wrong-signature");
        assertThat(new RouteHeaders("shanghai", null, headers.sign()).signatureProblem(ACCEPTED, NOW))
                .isEqualTo("wrong-signature");
        assertThat(new RouteHeaders("shanghai", headers.from(), later).signatureProblem(ACCEPTED, NOW))
                .isEqualTo("wrong-signature");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "=", "AAAA", "上海"})
    void refusesAnotherSignature(String signature) {
        String sign = signed().sign().replace(signature(signed()), signature);

        assertThat(new RouteHeaders("shanghai", signed().from(), sign).signatureProblem(ACCEPTED, NOW))
                .isEqualTo("wrong-signature");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "garbage",
                ";;;",
                "v1;kid=zhejiang-2026;ts=1795200000",
                "v2;kid=zhejiang-2026;ts=1795200000;sig=x",
                "v1;kid=zhejiang-2026;ts=now;sig=x",
                "v1;kid=zhejiang-2026;ts=-1;sig=x",
                "v1;kid=zhejiang-2026;ts=1795200000000;sig=x",
                "v1;kid=zhejiang-2026;ts=99999999999999999999;sig=x",
                "v1;ts=1795200000;kid=zhejiang-2026;sig=x",
                "v1;kid=zhejiang-2026;ts=1795200000;sig=x;more"
            })
    void refusesGarbage(String sign) {
        assertThat(new RouteHeaders("shanghai", "zhejiang/shop/1", sign).signatureProblem(ACCEPTED, NOW))
                .isEqualTo("unreadable-signature");
    }

    @Test
    void readsWhatItWrites() {
        RpcInvocation invocation = send();

        signed().write(invocation);

        assertThat(RouteHeaders.read(invocation)).isEqualTo(signed());
        assertThat(invocation.getObjectAttachments())
                .containsOnlyKeys(HighwayAttachments.ISLAND, HighwayAttachments.FROM, HighwayAttachments.SIGN);
    }

    @Test
    void replacesWhatAnUpstreamLeft() {
        RpcInvocation invocation = send();
        signed().write(invocation);

        RouteHeaders.of("beijing", "shanghai/bank/2", OFF, NOW).write(invocation);

        assertThat(RouteHeaders.read(invocation)).isEqualTo(new RouteHeaders("beijing", "shanghai/bank/2", null));
        assertThat(invocation.getObjectAttachments()).doesNotContainKey(HighwayAttachments.SIGN);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "value")
    void isNull_whenTheCallComesFromHome(String other) {
        RpcInvocation invocation = send();
        invocation.setAttachmentIfAbsent("traceparent", other);

        assertThat(RouteHeaders.read(invocation)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {HighwayAttachments.ISLAND, HighwayAttachments.FROM, HighwayAttachments.SIGN})
    void isThere_whenAnyHeaderIs(String header) {
        RpcInvocation invocation = send();
        invocation.setAttachment(header, "value");

        RouteHeaders headers = RouteHeaders.read(invocation);

        assertThat(headers).isNotNull();
        assertThat(headers.island()).isEqualTo(header.equals(HighwayAttachments.ISLAND) ? "value" : "");
    }
}
