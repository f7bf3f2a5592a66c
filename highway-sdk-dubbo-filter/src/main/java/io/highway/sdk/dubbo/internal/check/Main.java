// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.check;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code java -jar highway-sdk-dubbo-filter-<version>.jar check <policy.yaml>}. The jar holds neither Dubbo nor
 * SnakeYAML: what the class path lacks is taken from the jars in its own directory, which is that of the application's
 * jars, such as an unpacked {@code BOOT-INF/lib}. Uses nothing but the JDK.
 *
 * <p>The jar's manifest has no {@code Class-Path}: it would name one version of each jar, and {@code javac -Xlint:path}
 * warns of every one that is not there.
 */
final class Main {

    /** The exit code of a command that could not run. */
    private static final int UNUSABLE = 2;

    private static final String COMMAND = "io.highway.sdk.dubbo.internal.config.source.PolicyCheck";

    /** A class of each jar that the command needs, and the jar's name without its version. */
    private static final Map<String, String> NEEDED = needed();

    private Main() {}

    private static Map<String, String> needed() {
        Map<String, String> needed = new LinkedHashMap<>();
        needed.put("io.highway.sdk.IslandId", "highway-sdk-api");
        needed.put("org.apache.dubbo.common.config.Environment", "dubbo");
        needed.put("org.yaml.snakeyaml.Yaml", "snakeyaml");
        return needed;
    }

    /**
     * Runs the command and ends the JVM with its exit code.
     *
     * @param args the command and its arguments
     */
    public static void main(String[] args) {
        System.exit(run(Arrays.asList(args), System.out, System.err));
    }

    @SuppressWarnings("BanClassLoader") // the jars beside this one, which the user has chosen
    private static int run(List<String> args, PrintStream out, PrintStream err) {
        ClassLoader own = Main.class.getClassLoader();
        if (missing(own).isEmpty()) {
            return run(args, out, err, own);
        }
        File jar;
        try {
            jar = new File(Main.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            err.println("highway: the place of this jar is not a file: " + e.getMessage());
            return UNUSABLE;
        }
        try (URLClassLoader beside = new URLClassLoader(
                jarsBeside(jar), ClassLoader.getSystemClassLoader().getParent())) {
            List<String> missing = missing(beside);
            if (!missing.isEmpty()) {
                err.println("highway: the command needs these jars beside " + jar + ": " + String.join(", ", missing)
                        + ". Run it in a directory with the application's jars, such as an unpacked BOOT-INF/lib");
                return UNUSABLE;
            }
            return run(args, out, err, beside);
        } catch (IOException e) {
            err.println("highway: the jars beside " + jar + " cannot be read: " + e);
            return UNUSABLE;
        }
    }

    private static List<String> missing(ClassLoader loader) {
        List<String> missing = new ArrayList<>();
        NEEDED.forEach((name, jar) -> {
            try {
                Class.forName(name, false, loader);
            } catch (ClassNotFoundException | LinkageError e) {
                missing.add(jar + "-<version>.jar");
            }
        });
        return missing;
    }

    private static URL[] jarsBeside(File jar) throws IOException {
        List<URL> jars = new ArrayList<>(List.of(jar.toURI().toURL()));
        File[] siblings = jar.getAbsoluteFile().getParentFile().listFiles((directory, name) -> name.endsWith(".jar"));
        if (siblings != null) {
            Arrays.sort(siblings);
            for (File sibling : siblings) {
                jars.add(sibling.toURI().toURL());
            }
        }
        return jars.toArray(new URL[0]);
    }

    private static int run(List<String> args, PrintStream out, PrintStream err, ClassLoader loader) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            thread.setContextClassLoader(loader); // Dubbo and SnakeYAML look there
            return (int) Class.forName(COMMAND, true, loader)
                    .getMethod("run", List.class, PrintStream.class, PrintStream.class)
                    .invoke(null, args, out, err);
        } catch (InvocationTargetException e) {
            err.println("highway: the command failed: " + e.getCause());
            return UNUSABLE;
        } catch (ReflectiveOperationException | LinkageError e) {
            err.println("highway: the command failed: " + e);
            return UNUSABLE;
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
