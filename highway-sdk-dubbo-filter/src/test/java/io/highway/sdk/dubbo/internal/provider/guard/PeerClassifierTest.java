// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerClassifierTest {

    private static Policy policy(String gateways, String home, String require) {
        Map<String, String> keys =
                new TreeMap<>(Map.of("highway.island", "shanghai", "highway.sign.accept.zj1", "open sesame"));
        if (gateways != null) {
            keys.put("highway.guard.gateways", gateways);
        }
        if (home != null) {
            keys.put("highway.guard.home", home);
        }
        if (require != null) {
            keys.put("highway.guard.require", require);
        }
        return PolicyParser.parse(RawSettings.of(keys, "test"), "static", null).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        ",,, 10.0.0.1, true",
        ",, nothing, 10.0.0.1, true",
        ",, headers, 10.0.0.1, false",
        ",, signature, 10.0.0.1, false",
        "10.0.0.1,,, 10.0.0.1, false",
        "10.0.0.1,,, 10.0.0.2, true",
        "10.0.0.1,, headers, 10.0.0.2, true",
        "10.0.0.1,, signature, 10.0.0.2, true",
        "10.0.0.1,, signature, 10.0.0.1, false",
        ", 10.1.0.0/16,, 10.1.0.1, true",
        ", 10.1.0.0/16,, 10.2.0.1, false",
        ", 10.1.0.0/16, signature, 10.1.0.1, true",
        ", 10.1.0.0/16, signature, 10.2.0.1, false",
        "10.1.0.9, 10.1.0.0/16,, 10.1.0.9, false",
        "10.1.0.9, 10.1.0.0/16,, 10.1.0.8, true",
        "10.1.0.9, 10.1.0.0/16,, 10.2.0.1, false",
        "10.1.0.9,,, ::ffff:10.1.0.9, false",
        "::ffff:10.1.0.9,,, 10.1.0.9, false",
        "2001:db8::/32,,, 2001:db8::1, false",
        "2001:db8::/32,,, 10.0.0.1, true"
    })
    void servesCallsFromHomeOnly(String gateways, String home, String require, String peer, boolean served)
            throws UnknownHostException {
        GuardRefusal refusal =
                PeerClassifier.refusal(policy(gateways, home, require), InetAddress.getByName(peer), null);

        assertThat(refusal == null).isEqualTo(served);
    }

    @Test
    void refusesAPeerThatIsUnknown_exceptWithoutAnyKey() {
        assertThat(PeerClassifier.refusal(policy(null, null, null), null, null)).isNull();
        assertThat(PeerClassifier.refusal(policy("10.0.0.1", null, null), null, null)
                        .message())
                .isEqualTo(
                        "headers-missing; it has no route headers of its own, and the address of its peer is unknown; see"
                                + " highway.guard.* in shanghai");
    }
}
