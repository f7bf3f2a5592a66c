// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.reference;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.Island;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import org.apache.dubbo.config.annotation.DubboReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.SpringProperties;

/** An application that starts from what Spring has generated ahead of time, where {@code @Island} has no effect. */
class AheadOfTimeStartTest {

    interface Sms {}

    static class InShanghai {

        @DubboReference
        @Island("shanghai")
        Sms sms;
    }

    static class AtHome {

        @DubboReference
        Sms sms;
    }

    @BeforeEach
    void startsFromGeneratedCode() {
        SpringProperties.setFlag("spring.aot.enabled");
    }

    @AfterEach
    void startsAsUsual() {
        SpringProperties.setProperty("spring.aot.enabled", null);
    }

    private static void check(Class<?> bean) {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerBeanDefinition("bean", new RootBeanDefinition(bean));
        new IslandPlacementCheck(beans, beans.getBeanProvider(IslandReferences.class)).afterSingletonsInstantiated();
    }

    @Test
    void fails_whereABeanNamesAnIsland() {
        assertThatThrownBy(() -> check(InShanghai.class))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessageContaining("@Island on " + InShanghai.class.getName() + ".sms")
                .hasMessageContaining("ahead-of-time processing")
                .hasMessageContaining("Highway.to(..)");
    }

    @Test
    void passes_whereNoneDoes() {
        assertThatCode(() -> check(AtHome.class)).doesNotThrowAnyException();
    }
}
