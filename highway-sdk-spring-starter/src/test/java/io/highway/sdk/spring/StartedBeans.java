// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import io.highway.sdk.Island;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.function.Supplier;
import org.apache.dubbo.config.annotation.DubboReference;
import org.apache.dubbo.config.spring.ReferenceBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportResource;
import org.springframework.core.annotation.AliasFor;

/** What {@link StartedApplication} is started with. */
final class StartedBeans {

    private StartedBeans() {}

    /** A service without a provider. */
    public interface Sms {

        String send(String text);
    }

    /** No bean of the application's own. */
    static class Nothing {}

    /** References as they should be: home's, without a registry, and an unused one. */
    static class GoodReferences {

        @DubboReference(url = "dubbo://zhejiang.test:1", check = false)
        private Sms atHome;

        @DubboReference(url = "dubbo://zhejiang.test:1")
        @Island("shanghai")
        private Sms inShanghai;
    }

    /** References without {@code @Island}, by annotation and by XML. */
    @ImportResource("classpath:started-references.xml")
    static class PlainReferences {

        @DubboReference(
                url = "dubbo://zhejiang.test:1",
                check = false,
                parameters = {"highway-island", "shanghai"})
        private Sms inShanghai;
    }

    /** Starts whatever home has. */
    @Import(OrdersByParameter.class)
    static class UncheckedReference {

        @DubboReference(url = "dubbo://zhejiang.test:1", check = false)
        @Island("shanghai")
        private Sms inShanghai;
    }

    /** A service of an island. */
    @Island("shanghai")
    public interface ReportsInShanghai {

        String read(String name);
    }

    /** Asks for an island by the interface of a reference. */
    static class ReferenceToReportsInShanghai {

        @DubboReference(url = "dubbo://zhejiang.test:1", check = false)
        private ReportsInShanghai reports;
    }

    /** Two references of one service, of which Dubbo starts one. */
    static class UnknownParameterAtOneReference {

        @DubboReference(url = "dubbo://zhejiang.test:1", check = false)
        private Sms first;

        @DubboReference(
                url = "dubbo://zhejiang.test:1",
                check = false,
                parameters = {"highway-iland", "shanghai"})
        private Sms second;
    }

    /** Asks for islands by several means; with {@code highway.enabled=false} home serves all of it. */
    @Import(OrdersByParameter.class)
    static class SeveralIslands {

        @Bean
        @DubboReference(url = "dubbo://zhejiang.test:2", check = false)
        @Island("shanghai")
        ReferenceBean<Sms> byBean() {
            return new ReferenceBean<>();
        }

        @DubboReference(url = "dubbo://zhejiang.test:1", check = false)
        @Island("shanghai")
        private Sms inShanghai;

        @DubboReference(url = "dubbo://zhejiang.test:1", check = false)
        private ReportsInShanghai reports;
    }

    static class UnknownIslandAtTheReference {

        @DubboReference
        @Island("shangai")
        private Sms sms;
    }

    /** Dubbo starts one reference of a service and only reads the others; which one, is up to a hash. */
    static class UnknownIslandAtOneReference {

        @DubboReference(url = "dubbo://zhejiang.test:1", check = false)
        private Sms first;

        @DubboReference(url = "dubbo://zhejiang.test:1")
        @Island("shangai")
        private Sms second;
    }

    static class UnknownIslandAtTheOtherReference {

        @DubboReference(url = "dubbo://zhejiang.test:1")
        @Island("shangai")
        private Sms first;

        @DubboReference(url = "dubbo://zhejiang.test:1", check = false)
        private Sms second;
    }

    static class NoIslandAtTheReference {

        @DubboReference
        @Island("Shanghai")
        private Sms sms;
    }

    static class TwoIslandsAtTheReference {

        @DubboReference(parameters = {"highway-island", "beijing"})
        @Island("shanghai")
        private Sms sms;
    }

    static class StaticReference {

        @DubboReference
        @Island("shanghai")
        private static Sms sms;
    }

    /** A service of this application. */
    static class LocalSms implements Sms {

        @Override
        public String send(String text) {
            return text;
        }
    }

    static class AutowiredSms {

        @Autowired
        @Island("shanghai")
        private Sms sms;

        @Bean
        static Sms local() {
            return new LocalSms();
        }
    }

    static class SetterWithoutDubboReference {

        @Island("shanghai")
        void setSms(Sms sms) {
            sms.send("");
        }
    }

    static class ParameterOfAMethod {

        void use(@Island("shanghai") Sms sms) {
            sms.send("");
        }
    }

    static class OrdersByParameter {

        final Sms sms;

        OrdersByParameter(@Island("shanghai") Sms sms) {
            this.sms = sms;
        }
    }

    static class SenderOfOrders {

        SenderOfOrders(@Island("shanghai") Sms sms) {
            sms.send("");
        }
    }

    static class ParameterOfTheSuperclass extends SenderOfOrders {

        ParameterOfTheSuperclass() {
            super(new LocalSms());
        }
    }

    static class ParameterOfAnotherConstructor {

        ParameterOfAnotherConstructor() {}

        ParameterOfAnotherConstructor(@Island("shanghai") Sms sms) {
            sms.send("");
        }
    }

    /** An annotation with another attribute than the one that it carries. */
    @Island("shanghai")
    @Target({ElementType.METHOD, ElementType.PARAMETER})
    @Retention(RetentionPolicy.RUNTIME)
    @interface ToShanghai {

        @AliasFor(annotation = Island.class)
        Island.When when() default Island.When.ALWAYS;
    }

    static class ParameterWithAnAnnotationOfItsOwn {

        @Bean
        @DubboReference(url = "dubbo://zhejiang.test:1", check = false)
        @Island("shanghai")
        ReferenceBean<Sms> inShanghai() {
            return new ReferenceBean<>();
        }

        @Bean
        String used(@ToShanghai Sms sms) {
            return String.valueOf(sms);
        }
    }

    @Import(OrdersByParameter.class)
    static class OnlyAReferenceThatPrefersHome {

        @Bean
        @DubboReference(check = false)
        @ToShanghai(when = Island.When.HOME_ABSENT)
        ReferenceBean<Sms> homeFirst() {
            return new ReferenceBean<>();
        }
    }

    static class ReportsByParameter {

        ReportsByParameter(@Island("shanghai") ReportsInShanghai reports) {
            reports.read("");
        }
    }

    /** The interface has the same annotation as the parameter, and neither bean leads there. */
    @Import(ReportsByParameter.class)
    static class OnlyReportsOfOthers {

        @DubboReference(check = false)
        @Island("beijing")
        private ReportsInShanghai inBeijing;

        @Bean
        static ReportsInShanghai local() {
            return name -> name;
        }
    }

    @Island("shanghai")
    @Target(ElementType.FIELD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface InShanghai {}

    static class FinalField {

        @InShanghai
        private final Sms sms;

        FinalField(Sms sms) {
            this.sms = sms;
        }

        @Bean
        static Sms local() {
            return new LocalSms();
        }
    }

    /** Its type tells nothing of its fields until it is created. */
    static class LateReports implements Supplier<String> {

        @DubboReference(check = false)
        @Island("beijing")
        private ReportsInShanghai inBeijing;

        @Override
        public String get() {
            return inBeijing.read("");
        }
    }

    static class OnlyLateReportsOfOthers {

        @Bean
        static Supplier<String> late() {
            return new LateReports();
        }

        @Bean
        @DependsOn("late")
        static ReportsByParameter reportsByParameter(@Island("shanghai") ReportsInShanghai reports) {
            return new ReportsByParameter(reports);
        }
    }

    static class NewOrders {

        @Bean
        static OrdersByParameter orders() {
            return new OrdersByParameter(new LocalSms());
        }
    }

    @Import(OrdersByParameter.class)
    static class ParameterWithoutItsReference {

        @Bean
        @DubboReference(check = false)
        @Island("beijing")
        ReferenceBean<Sms> inBeijing() {
            return new ReferenceBean<>();
        }

        @Bean
        static Sms local() {
            return new LocalSms();
        }
    }

    static class AutowiredSetter {

        @Autowired
        @Island("shanghai")
        void setSms(Sms sms) {
            sms.send("");
        }

        @Bean
        static Sms local() {
            return new LocalSms();
        }
    }

    /** A service with {@code @Island}, which only its interface may have. */
    @Island("shanghai")
    static class ShanghaiSms extends LocalSms {}

    static class AnnotatedService {

        @Bean
        static Sms sms() {
            return new ShanghaiSms();
        }
    }
}
