// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test.spring;

import io.highway.sdk.Island;
import io.highway.sdk.Island.When;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.apache.dubbo.config.annotation.DubboReference;
import org.apache.dubbo.config.spring.ReferenceBean;
import org.apache.dubbo.config.spring.context.annotation.EnableDubbo;
import org.apache.dubbo.config.spring.reference.ReferenceBeanBuilder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportResource;

/** An application with a reference in each way in which one is injected. */
@Configuration
@EnableAutoConfiguration
@EnableDubbo
@ImportResource("classpath:sms-references.xml")
class Injected {

    /** Says where it is. */
    public interface Sms {

        String where();
    }

    /** Each call of it goes to beijing. */
    @Island("beijing")
    public interface Files {

        String where();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DubboReference
    @Island("shanghai")
    @interface ShanghaiSms {}

    static class Orders {

        @DubboReference
        @Island("shanghai")
        Sms inShanghai;

        @Island("beijing")
        @DubboReference
        Sms inBeijing;

        @DubboReference(url = "dubbo://provider.home.test:20880")
        Sms atHome;

        @ShanghaiSms
        Sms byMetaAnnotation;

        @DubboReference
        @Island("${far.island}")
        Sms byPlaceholder;

        @DubboReference(parameters = {"highway-island", "beijing"})
        Sms byParameter;

        @DubboReference(version = "2.0.0")
        @Island(value = "beijing", when = When.HOME_ABSENT)
        Sms homeFirst;

        @DubboReference(group = "absent")
        @Island(value = "beijing", when = When.HOME_ABSENT)
        Files homeFirstButAbsent;

        @DubboReference
        Files byInterface;

        @Island("shanghai")
        @DubboReference
        Files byReferenceNotInterface;

        Sms bySetter;
        Sms byOtherSetter;
        final Sms byConstructor;

        @Autowired
        Sms beijingByBuilder;

        @Autowired
        @Qualifier("shanghaiByXml")
        Sms byXml;

        @Autowired
        @Qualifier("beijingByEmptyBean")
        Sms byEmptyBean;

        Orders(Sms byConstructor) {
            this.byConstructor = byConstructor;
        }

        @DubboReference
        @Island("shanghai")
        public void setBySetter(Sms sms) {
            this.bySetter = sms;
        }

        @DubboReference
        @Island("beijing")
        public void setByOtherSetter(Sms sms) {
            this.byOtherSetter = sms;
        }
    }

    /** Has a field of the same name as another class, for another island. */
    static class Reports {

        @DubboReference
        @Island("beijing")
        Sms inShanghai;
    }

    @Bean
    @DubboReference
    @Island("shanghai")
    ReferenceBean<Sms> shanghaiByBean() {
        return new ReferenceBean<>();
    }

    @Bean
    @Island("beijing")
    ReferenceBean<Sms> beijingByBuilder() {
        return new ReferenceBeanBuilder().setInterface(Sms.class.getName()).build();
    }

    @Bean
    @Island("beijing")
    ReferenceBean<Sms> beijingByEmptyBean() {
        return new ReferenceBean<>();
    }

    @Bean
    Orders orders(@Island("shanghai") Sms byConstructor) {
        return new Orders(byConstructor);
    }

    @Bean
    Reports reports() {
        return new Reports();
    }
}
