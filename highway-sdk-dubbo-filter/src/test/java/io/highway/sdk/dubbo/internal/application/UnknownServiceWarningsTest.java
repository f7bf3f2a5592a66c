// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.internal.policy.RawSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class UnknownServiceWarningsTest {

    private static final Set<String> USED = Set.of("com.foo.SmsService", "com.foo.FileService");

    private static List<String> warnings(String... keys) {
        Map<String, String> values =
                Arrays.stream(keys).collect(Collectors.toMap(key -> "highway.services." + key, key -> "shanghai"));
        return UnknownServiceWarnings.of(RawSettings.of(values, "application"), USED, "com.foo.MmsService"::equals);
    }

    @Test
    void namesAllKeysOfAMisspeltInterface_andTheNearestThatIsUsed() {
        assertThat(warnings("com.foo.SmsSevice.island", "com.foo.SmsSevice.when", "com.foo.FileService.island"))
                .containsExactly("highway.services.com.foo.SmsSevice.island, highway.services.com.foo.SmsSevice.when:"
                        + " no effect, because there is no class com.foo.SmsSevice, and this application neither"
                        + " references nor exports it;"
                        + " did you mean \"com.foo.SmsService\"?");
    }

    @Test
    void namesTheKeysOfAnInterfaceThatDoesNotExist_whereNoSimilarOneIsUsed() {
        assertThat(warnings("com.foo.OrderService.island", "com.foo.SmsServiceV2.island", "com.foo.SmsService.island"))
                .containsExactly(
                        "highway.services.com.foo.OrderService.island: no effect, because there is no class"
                                + " com.foo.OrderService, and this application neither references nor exports it",
                        "highway.services.com.foo.SmsServiceV2.island: no effect, because there is no class"
                                + " com.foo.SmsServiceV2, and this application neither references nor exports it");
    }

    @Test
    void isSilent_whereThereIsSuchAClass() {
        assertThat(warnings("com.foo.MmsService.island")).isEmpty();
    }

    @Test
    void namesGatewaysOfAMisspeltInterface_andNoPattern() {
        Map<String, String> keys = Map.of(
                "highway.islands.shanghai.services.com.foo.SmsSevice.gateways.dubbo", "gateway:1",
                "highway.islands.shanghai.services.com.bar.*.gateways.dubbo", "gateway:2",
                "highway.islands.shanghai.services.com.foo.MmsService.gateways.dubbo", "gateway:3",
                "highway.islands.shanghai.services.com.foo.FileService.gateways.triple", "gateway:4");

        assertThat(UnknownServiceWarnings.of(RawSettings.of(keys, "application"), USED, "com.foo.MmsService"::equals))
                .singleElement()
                .asString()
                .startsWith(
                        "highway.islands.shanghai.services.com.foo.SmsSevice.gateways.dubbo: no effect, because there"
                                + " is no class com.foo.SmsSevice,")
                .contains("did you mean \"com.foo.SmsService\"?");
    }

    @Test
    void readsServiceKeysOnly() {
        assertThat(UnknownServiceWarnings.of(
                        RawSettings.of(Map.of("highway.islands.com.foo.SmsSevice", "x"), "application"),
                        USED,
                        name -> false))
                .isEmpty();
    }
}
