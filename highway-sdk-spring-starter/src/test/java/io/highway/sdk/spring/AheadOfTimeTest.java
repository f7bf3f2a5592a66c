// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Island;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.config.annotation.DubboReference;
import org.apache.dubbo.config.spring.context.DubboSpringInitCustomizerHolder;
import org.apache.dubbo.config.spring.context.annotation.EnableDubbo;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;
import org.springframework.util.ClassUtils;

/** What Spring generates ahead of time for references, by {@code dubbo-config-spring6}. */
class AheadOfTimeTest {

    interface Sms {

        void send(String text);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableDubbo
    @ImportAutoConfiguration(HighwayAutoConfiguration.class)
    static class Orders {

        @DubboReference(url = "dubbo://zhejiang.test:1", check = false, init = false)
        @Island("shanghai")
        Sms sms;
    }

    static boolean generates() {
        return Version.getVersion().startsWith("3.3")
                && ClassUtils.isPresent(
                        "org.apache.dubbo.config.spring6.beans.factory.annotation.ReferenceAnnotationWithAotBeanPostProcessor",
                        null);
    }

    @Test
    @EnabledIf("generates")
    void injectsTheReference_thatTheReaderHasRegistered() throws Exception {
        FrameworkModel framework = new FrameworkModel();
        InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            DubboSpringInitCustomizerHolder.get()
                    .addCustomizer(dubbo ->
                            dubbo.setModuleModel(framework.newApplication().newModule()));
            TestPropertyValues.of(
                            "dubbo.application.name=orders",
                            "dubbo.application.qos-enable=false",
                            "dubbo.registry.address=N/A",
                            "highway.island=zhejiang",
                            "highway.gateways.dubbo=gateway.zhejiang.test:1",
                            "highway.islands.shanghai.tunnel=dubbo")
                    .applyTo(context);
            context.register(Orders.class);
            DefaultGenerationContext generation =
                    new DefaultGenerationContext(new ClassNameGenerator(ClassName.get(AheadOfTimeTest.class)), files);
            ClassName unused = new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
        } finally {
            framework.destroy();
        }

        StringBuilder source = new StringBuilder();
        for (String path : files.getGeneratedFiles(GeneratedFiles.Kind.SOURCE).keySet()) {
            source.append(files.getGeneratedFileContent(GeneratedFiles.Kind.SOURCE, path));
        }
        assertThat(source).contains("ReferencedFieldValueResolver.forRequiredField(\"sms\").withShortcut(\"sms\")");
    }
}
