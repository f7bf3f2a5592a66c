// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** The classes of an application of another version: some are its own, some it does not have, the rest are the test's. */
final class OtherVersion extends ClassLoader {

    private final Map<String, ByteArrayOutputStream> compiled = new HashMap<>();
    private final Set<String> missing;

    /**
     * Compiles its own classes.
     *
     * @param sources by the class's name
     * @param missing names of classes it does not have
     */
    OtherVersion(Map<String, String> sources, Set<String> missing) {
        super(OtherVersion.class.getClassLoader());
        this.missing = missing;
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<JavaFileObject> files = new ArrayList<>();
        sources.forEach((name, source) -> files.add(new Source(name, source)));
        JavaFileManager output = new ForwardingJavaFileManager<>(compiler.getStandardFileManager(null, null, null)) {
            @Override
            public JavaFileObject getJavaFileForOutput(
                    Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
                return new Output(name);
            }
        };
        List<String> options = List.of("-proc:none", "-parameters", "-cp", System.getProperty("java.class.path"));
        if (!sources.isEmpty()
                && !compiler.getTask(null, output, null, options, null, files).call()) {
            throw new IllegalArgumentException("does not compile: " + sources);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (missing.contains(name)) {
            throw new ClassNotFoundException(name);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            ByteArrayOutputStream own = compiled.get(name);
            if (known == null && own != null) {
                return defineClass(name, own.toByteArray(), 0, own.size());
            }
            return known != null ? known : super.loadClass(name, resolve);
        }
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name.replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private final class Output extends SimpleJavaFileObject {

        private final String name;

        Output(String name) {
            super(URI.create("bytes:///" + name.replace('.', '/') + Kind.CLASS.extension), Kind.CLASS);
            this.name = name;
        }

        @Override
        public OutputStream openOutputStream() {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            compiled.put(name, bytes);
            return bytes;
        }
    }
}
