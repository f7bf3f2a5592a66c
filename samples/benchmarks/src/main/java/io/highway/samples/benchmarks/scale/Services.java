// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.scale;

import java.util.ArrayList;
import java.util.List;
import javassist.CannotCompileException;
import javassist.ClassClassPath;
import javassist.ClassPool;
import javassist.CtClass;
import javassist.CtNewMethod;
import javassist.NotFoundException;

/** Interfaces of services, made at run time: the same names and methods in every process. */
final class Services {

    /** Beside {@link AskedService#asked}; what a business interface looks like. */
    private static final List<String> METHODS = List.of(
            "public java.lang.String find(java.lang.String key, int page);",
            "public java.util.List list(java.lang.String key);",
            "public long count(java.util.Map filter);",
            "public boolean remove(long id);",
            "public void note(java.lang.String key, java.lang.String text);");

    private Services() {}

    /** So many interfaces, {@code Service0} and so on; once in a process. */
    static List<Class<? extends AskedService>> make(int count) {
        ClassPool pool = new ClassPool(true);
        pool.appendClassPath(new ClassClassPath(AskedService.class));
        try {
            CtClass asked = pool.get(AskedService.class.getName());
            List<Class<? extends AskedService>> services = new ArrayList<>();
            for (int number = 0; number < count; number++) {
                services.add(make(pool, asked, number));
            }
            return services;
        } catch (NotFoundException | CannotCompileException e) {
            throw new IllegalStateException("cannot make the interfaces", e);
        }
    }

    private static Class<? extends AskedService> make(ClassPool pool, CtClass asked, int number)
            throws CannotCompileException {
        CtClass service = pool.makeInterface(AskedService.class.getPackageName() + ".Service" + number, asked);
        for (String method : METHODS) {
            service.addMethod(CtNewMethod.make(method, service));
        }
        return service.toClass(AskedService.class).asSubclass(AskedService.class);
    }
}
