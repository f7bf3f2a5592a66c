// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.test.HighwayTest;
import io.highway.sdk.test.Islands;
import io.highway.sdk.test.spring.Injected.Files;
import io.highway.sdk.test.spring.Injected.Sms;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** With the configuration of the application, whose gateways and registry are real addresses. */
@SpringBootTest(classes = Injected.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@HighwayTest(islands = {"shanghai", "beijing"})
class SpringTest {

    @Autowired
    Injected.Orders orders;

    @Autowired
    Injected.Reports reports;

    @Test
    void servesEveryInjectedReference(Islands islands) {
        Sms mock = mock(Sms.class);
        when(mock.where()).thenReturn("shanghai");
        islands.at("shanghai").serves(Sms.class, mock).serves(Files.class, () -> "shanghai");
        islands.at("beijing").serves(Sms.class, () -> "beijing").serves(Files.class, () -> "beijing");
        islands.home().serves(Sms.class, () -> "home");

        List<String> inShanghai = new ArrayList<>(List.of(
                orders.inShanghai.where(),
                orders.byMetaAnnotation.where(),
                orders.byPlaceholder.where(),
                orders.byReferenceNotInterface.where(),
                orders.bySetter.where(),
                orders.byConstructor.where(),
                orders.byXml.where()));
        List<String> inBeijing = List.of(
                orders.inBeijing.where(),
                orders.byParameter.where(),
                orders.homeFirstButAbsent.where(),
                orders.byInterface.where(),
                orders.byOtherSetter.where(),
                orders.beijingByBuilder.where(),
                orders.byEmptyBean.where(),
                reports.inShanghai.where());

        assertThat(inShanghai).hasSize(7).containsOnly("shanghai");
        assertThat(inBeijing).hasSize(8).containsOnly("beijing");
        assertThat(List.of(orders.atHome.where(), orders.homeFirst.where())).containsOnly("home");
    }

    @Test
    void replacesAddresses_alsoInAList(Islands islands) {
        assertThat(HighwayRuntime.of(islands.application()).policy().settings().values())
                .containsEntry("highway.gateways.dubbo", "undeclared.test:1")
                .containsEntry("highway.gateways.triple", "undeclared.test:1")
                .containsKey("highway.http.port")
                .doesNotContainEntry("highway.http.port", "20991");
    }

    @Test
    void startsAnew_inEachTest(Islands islands) {
        islands.at("shanghai").serves(Sms.class, () -> "other");

        assertThat(orders.inShanghai.where()).isEqualTo("other");
        assertThat(islands.at("shanghai").calls()).hasSize(1);
        assertThat(islands.at("shanghai").calls().get(0).caller()).hasToString("zhejiang/orders");
    }
}
