// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A release of the SDK.
 *
 * @param lacks what it does not have or has in another form: {@code signed}, {@code zstd}
 */
record Release(String name, List<String> lacks, String classPath) {

    static Release current() {
        return new Release("this release", List.of(), System.getProperty("java.class.path"));
    }

    /**
     * An older one.
     *
     * @param text {@code name=lacks=classPath}, with a comma list
     */
    static Release parse(String text) {
        String[] parts = text.split("=", 3);
        String tools = Arrays.stream(current().classPath().split(File.pathSeparator, -1))
                .filter(entry -> new File(entry).getName().matches("classes|(highway-tools|slf4j|zstd-jni)-.*"))
                .collect(Collectors.joining(File.pathSeparator));
        return new Release(parts[0], List.of(parts[1].split(",", -1)), parts[2] + File.pathSeparator + tools);
    }
}
