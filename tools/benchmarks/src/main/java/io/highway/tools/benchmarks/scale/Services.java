// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import javassist.CannotCompileException;
import javassist.ClassClassPath;
import javassist.ClassPool;
import javassist.CtClass;
import javassist.CtNewMethod;
import javassist.NotFoundException;

/**
 * Generated interfaces of services. They are class files on the class path of the processes that use them: Dubbo reads
 * these to make proxies, and is slower for interfaces that exist in memory only.
 */
final class Services {

    /** The methods beside {@link AskedService#asked}, as in a business interface. */
    private static final List<String> METHODS = List.of(
            "public java.lang.String find(java.lang.String key, int page);",
            "public java.util.List list(java.lang.String key);",
            "public long count(java.util.Map filter);",
            "public boolean remove(long id);",
            "public void note(java.lang.String key, java.lang.String text);");

    private Services() {}

    /** Writes so many class files into a folder. */
    static void write(Path folder, int count) throws IOException {
        ClassPool pool = new ClassPool(true);
        pool.appendClassPath(new ClassClassPath(AskedService.class));
        try {
            CtClass asked = pool.get(AskedService.class.getName());
            for (int number = 0; number < count; number++) {
                CtClass service = pool.makeInterface(name(number), asked);
                for (String method : METHODS) {
                    service.addMethod(CtNewMethod.make(method, service));
                }
                service.writeFile(folder.toString());
            }
        } catch (NotFoundException | CannotCompileException e) {
            throw new IllegalStateException("cannot make the interfaces", e);
        }
    }

    private static String name(int number) {
        return AskedService.class.getPackageName() + ".Service" + number;
    }

    /** Loads the first of those that were written. */
    static List<Class<? extends AskedService>> load(int count) {
        return IntStream.range(0, count)
                .<Class<? extends AskedService>>mapToObj(number -> load(name(number)))
                .toList();
    }

    private static Class<? extends AskedService> load(String name) {
        try {
            return Class.forName(name).asSubclass(AskedService.class);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
