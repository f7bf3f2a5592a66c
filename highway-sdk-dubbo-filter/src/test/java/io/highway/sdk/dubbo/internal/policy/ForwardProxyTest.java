// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.TunnelKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardProxyTest {

    private static final String KEY = "highway.gateways.proxy";

    private static Policy policy(String... keys) {
        Map<String, String> all = new HashMap<>(Map.of(
                "highway.island", "zhejiang",
                "highway.gateways.dubbo", "gateway:20880",
                "highway.islands.shanghai.tunnel", "auto"));
        for (int i = 0; i < keys.length; i += 2) {
            all.put(keys[i], keys[i + 1]);
        }
        return PolicyParser.parse(RawSettings.of(all, "test"), "test", null).orElseThrow();
    }

    private static List<GatewaySpec> ofShanghai(Policy policy) {
        return Objects.requireNonNull(policy.forIsland("shanghai")).gateways(TunnelKind.DUBBO);
    }

    @ParameterizedTest
    @CsvSource({
        "http://proxy.test:3128, http, proxy.test, 3128,, ''",
        "http://proxy_1:3128/, http, proxy_1, 3128,, ''",
        "socks5://10.0.0.1:1080, socks5, 10.0.0.1, 1080,, ''",
        "socks5://[2001:db8::1]:65535, socks5, 2001:db8::1, 65535,, ''",
        "http://app:s:e@c/ret@proxy.test:1, http, proxy.test, 1, app, s:e@c/ret",
        "socks5://app:@proxy.test:1, socks5, proxy.test, 1, app, ''"
    })
    void readsAProxy_andNeverShowsItsPassword(
            String text, String protocol, String host, int port, String user, String password) {
        ForwardProxy proxy = ForwardProxy.parse(KEY, text);

        assertThat(proxy).isEqualTo(new ForwardProxy(protocol, host, port, user, password));
        assertThat(proxy).hasToString(protocol + "://" + text.replaceAll(".*[@/](?=.)|/$", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "proxy.test:3128",
                "https://proxy.test:3128",
                "socks://proxy.test:1080",
                "HTTP://proxy.test:3128",
                "http://proxy.test",
                "http://proxy.test:0",
                "http://proxy.test:65536",
                "http://:3128",
                "http://proxy.test:3128/path",
                "http://app@proxy.test:3128",
                "http://proxy.test:3128,http://proxy2.test:3128",
                "http://app:secret@proxy.test",
                "app:secret@proxy.test:3128"
            })
    void refusesWhatIsNone_withoutItsPassword(String text) {
        assertThatExceptionOfType(HighwayConfigurationException.class)
                .isThrownBy(() -> policy(KEY, text))
                .satisfies(e -> assertThat(e.key()).isEqualTo(KEY))
                .withMessageContaining("is not allowed; allowed: http://host:port or socks5://host:port")
                .withMessageContaining(text.substring(text.lastIndexOf('@') + 1))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
    }

    @Test
    void isHomes_unlessAnIslandWithGatewaysOfItsOwnHasAnotherOrNone() {
        ForwardProxy home = ForwardProxy.parse(KEY, "http://proxy.test:3128");

        assertThat(ofShanghai(policy(KEY, "http://proxy.test:3128")))
                .extracting(GatewaySpec::proxy)
                .containsExactly(home);
        String own = "highway.islands.shanghai.gateways.";
        assertThat(ofShanghai(policy(KEY, "http://proxy.test:3128", own + "dubbo", "own:1")))
                .extracting(GatewaySpec::proxy)
                .containsExactly(home);
        assertThat(ofShanghai(policy(KEY, "http://proxy.test:3128", own + "dubbo", "own:1", own + "proxy", "")))
                .extracting(GatewaySpec::proxy)
                .containsOnlyNulls();
        assertThat(ofShanghai(policy(own + "dubbo", "own:1", own + "proxy", "socks5://proxy.test:1080")))
                .extracting(GatewaySpec::toString)
                .containsExactly("dubbo own:1 through socks5://proxy.test:1080");
    }

    @Test
    void isTheSameForAllIslandsThatReachAnAddress() {
        assertThatExceptionOfType(HighwayConfigurationException.class)
                .isThrownBy(() -> policy(
                        "highway.islands.beijing.tunnel",
                        "auto",
                        "highway.islands.shanghai.gateways.proxy",
                        "http://proxy.test:3128"))
                .withMessageContaining("another island reaches gateway:20880 with another proxy. Use the same proxy");
    }

    @ParameterizedTest
    @CsvSource({
        "gateways.proxy, http://app:secret@proxy.test:3128, ******@proxy.test:3128",
        "islands.shanghai.gateways.proxy, http://proxy.test:3128, http://proxy.test:3128",
        "gateways.tls.key-password, secret, ******",
        "sign.secret, secret, ******",
        "gateways.dubbo, gateway:20880, gateway:20880"
    })
    void isShownWithoutSecrets(String key, String value, String shown) {
        assertThat(HighwayKeys.shown(key, value)).isEqualTo(shown);
    }
}
