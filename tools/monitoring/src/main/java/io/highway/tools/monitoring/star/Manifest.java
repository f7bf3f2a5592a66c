// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring.star;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.yaml.snakeyaml.Yaml;

/** A manifest of docs/guides/production. */
final class Manifest {

    private Manifest() {}

    /** The {@code application.yml} in its first ConfigMap. */
    static String application(Path file) throws IOException {
        for (Object document : new Yaml().loadAll(Files.readString(file))) {
            if (document instanceof Map<?, ?> map
                    && "ConfigMap".equals(map.get("kind"))
                    && map.get("data") instanceof Map<?, ?> data
                    && data.get("application.yml") instanceof String text) {
                return text;
            }
        }
        throw new IllegalStateException("no application.yml in " + file);
    }
}
