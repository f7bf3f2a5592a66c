// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.fixtures.certificates.Identity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** APISIX, which is an nginx, with a prefix of its own; Dubbo frames go by nginx's stream module. */
final class Apisix extends Nginx {

    Apisix() {
        super(GatewayKind.APISIX);
    }

    /**
     * What runs it in the foreground.
     *
     * @param argument the file, or {@code version}
     */
    static List<String> launch(String argument) throws IOException {
        return List.of("sh", "-c", Template.of("apisix/launch").text(), "launch", argument);
    }

    @Override
    Map<String, String> paths(Trust trust, Identity identity, String prefix) {
        Map<String, String> paths = new LinkedHashMap<>(certificates(trust, identity));
        paths.put("/var/log/nginx/", prefix);
        return paths;
    }

    @Override
    Optional<String> http() {
        return Optional.empty();
    }

    /** It does when it starts. */
    @Override
    void check(Path configuration) {}

    @Override
    List<String> command(Path configuration) throws IOException {
        return launch(configuration.toString());
    }

    @Override
    Map<String, String> drainTime(int seconds) {
        return Map.of("worker_shutdown_timeout: 60s", "worker_shutdown_timeout: " + seconds + "s");
    }
}
