// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A configuration that an operator could copy, converted to one for a run on this machine.
 *
 * <ul>
 *   <li>Lines between {@code # for each island:} and {@code # end} are there once per island, with its values in them.
 *   <li>Values replace text in the file, such as {@code gateway.hub.test:20990}, wherever it occurs.
 *   <li>What is to be replaced and is not there is an error, and so is a path of a real system that is still there.
 * </ul>
 */
record Template(String name, String text) {

    private static final String FOR_EACH = "# for each ";
    private static final String FOR_EACH_ISLAND = "# for each island:";
    private static final String END = "# end";
    private static final List<String> ONLY_IN_REAL_LIFE = List.of("/etc/highway", "/var/log/", "/run/", "0.0.0.0");

    /** A file of this module, such as {@code envoy/hub.yaml}. */
    static Template of(String name) throws IOException {
        try (InputStream file = Template.class.getResourceAsStream("/gateways/" + name)) {
            if (file == null) {
                throw new IllegalArgumentException("there is no configuration " + name);
            }
            return new Template(name, new String(file.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** The file of a gateway, such as {@code hub}; of APISIX both, with a line between them. */
    static Template of(GatewayKind kind, String file) throws IOException {
        String path = kind + "/" + file;
        return switch (kind) {
            case NGINX -> of(path + ".conf");
            case HAPROXY -> of(path + ".cfg");
            case APISIX ->
                new Template(path + ".yaml", of(path + "/config.yaml").text + "---\n" + of(path + "/apisix.yaml").text);
            default -> of(path + ".yaml");
        };
    }

    /** How its name ends. */
    String end() {
        return name.substring(name.lastIndexOf('.'));
    }

    /** What replaces an address in a file. */
    static String local(int port) {
        return "127.0.0.1:" + port;
    }

    /** The same in a file of Envoy. */
    static String envoyAddress(int port) {
        return "address: 127.0.0.1, port_value: " + port;
    }

    /** Writes it to a file and returns that. */
    Path write(Path file, Map<String, String> values, List<Map<String, String>> islands) throws IOException {
        return Files.writeString(file, render(values, islands));
    }

    /**
     * The text for one run.
     *
     * @param values what replaces what, in this order
     * @param islands the same for each island; they come first, and apply to repeated blocks only
     */
    String render(Map<String, String> values, List<Map<String, String>> islands) {
        String repeated = repeat(islands);
        requireAll(repeated, values);
        requireNothingLeft(repeated, values.keySet());
        return replaceWhatIsThere(repeated, values);
    }

    private void requireNothingLeft(String repeated, Set<String> replaced) {
        String rest = repeated;
        for (String what : replaced) {
            rest = rest.replace(what, "");
        }
        rest.lines()
                .filter(line -> !line.strip().startsWith("#"))
                .filter(line -> ONLY_IN_REAL_LIFE.stream().anyMatch(line::contains))
                .findFirst()
                .ifPresent(line -> {
                    throw new IllegalArgumentException(name + " would still contain: " + line.strip());
                });
    }

    private String repeat(List<Map<String, String>> islands) {
        StringBuilder whole = new StringBuilder();
        List<String> blocks = new ArrayList<>();
        StringBuilder block = null;
        for (String line : text.lines().toList()) {
            String comment = line.strip();
            if (comment.startsWith(FOR_EACH)) {
                if (block != null || !comment.equals(FOR_EACH_ISLAND)) {
                    throw new IllegalArgumentException(name + " has an unknown marker: " + comment);
                }
                block = new StringBuilder();
            } else if (comment.equals(END)) {
                if (block == null) {
                    throw new IllegalArgumentException(name + " ends a block that did not begin");
                }
                String once = block.toString();
                blocks.add(once);
                islands.forEach(values -> whole.append(replaceWhatIsThere(once, values)));
                block = null;
            } else {
                (block == null ? whole : block).append(line).append('\n');
            }
        }
        if (block != null) {
            throw new IllegalArgumentException(name + " begins a block that does not end");
        }
        if (!islands.isEmpty()) {
            requireAll(String.join("", blocks), islands.get(0));
        }
        return whole.toString();
    }

    private void requireAll(String in, Map<String, String> values) {
        for (String what : values.keySet()) {
            if (!in.contains(what)) {
                throw new IllegalArgumentException(name + " does not contain: " + what);
            }
        }
    }

    private static String replaceWhatIsThere(String in, Map<String, String> values) {
        String replaced = in;
        for (Map.Entry<String, String> value : values.entrySet()) {
            replaced = replaced.replace(value.getKey(), value.getValue());
        }
        return replaced;
    }

    /** The text of the file. */
    @Override
    public String toString() {
        return text;
    }
}
