// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Island;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ModuleModel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which class determines the intents of a reference; only a separate loader knows the interface. */
class ServiceInterfaceResolverTest {

    private static final String NAME = "com.far.FarShop";

    @TempDir
    static Path directory;

    private static ClassLoader own;
    private static Class<?> type;

    private final FrameworkModel framework = new FrameworkModel();
    private final ModuleModel module = framework.newApplication().getDefaultModule();

    @BeforeAll
    static void compile() throws Exception {
        Path source = directory.resolve("com/far/FarShop.java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, "package com.far; public interface FarShop { String sell(String item); }");
        int status = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-d", directory.toString(), source.toString());
        assertThat(status).isZero();
        own = new URLClassLoader(
                new URL[] {directory.toUri().toURL()}, ServiceInterfaceResolverTest.class.getClassLoader());
        type = own.loadClass(NAME);
    }

    @AfterEach
    void destroy() {
        framework.destroy();
    }

    private ReferenceConfig<Object> reference() {
        ReferenceConfig<Object> reference = new ReferenceConfig<>();
        reference.setScopeModel(module);
        return reference;
    }

    @Test
    void takesTheClassOfTheReference() {
        ReferenceConfig<Object> reference = reference();
        reference.setInterface(type);

        assertThat(ServiceInterfaceResolver.of(reference)).isSameAs(type);
    }

    @Test
    void takesTheLoaderOfTheReference() {
        ReferenceConfig<Object> reference = reference();
        reference.setInterface(NAME);
        reference.setInterfaceClassLoader(own);

        assertThat(ServiceInterfaceResolver.of(reference)).isSameAs(type);
    }

    @Test
    void takesTheLoaderOfAGenericReference() {
        ReferenceConfig<Object> reference = reference();
        reference.setInterface(NAME);
        reference.setGeneric("true");
        reference.setInterfaceClassLoader(own);

        assertThat(ServiceInterfaceResolver.of(reference)).isSameAs(type);
    }

    @Test
    void takesTheLoadersOfTheModule_forAGenericReference() {
        module.addClassLoader(own);
        ReferenceConfig<Object> reference = reference();
        reference.setInterface(NAME);
        reference.setGeneric("true");

        assertThat(ServiceInterfaceResolver.of(reference)).isSameAs(type);
    }

    @Test
    void isNothing_whereAGenericReferenceHasNoClass() {
        ReferenceConfig<Object> reference = reference();
        reference.setInterface(NAME);
        reference.setGeneric("true");

        assertThat(ServiceInterfaceResolver.of(reference)).isNull();
    }

    @Test
    void leavesItToDubbo_whereTheClassIsMissing() {
        ReferenceConfig<Object> reference = reference();
        reference.setInterface(NAME);

        assertThat(ServiceInterfaceResolver.of(reference)).isNull();
    }

    @Test
    void hasTheAnnotationsOfTheSameApi() throws Exception {
        assertThat(own.loadClass(Island.class.getName())).isSameAs(Island.class);
    }
}
