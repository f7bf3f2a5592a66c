// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.fixtures.certificates.Identity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** HAProxy with its master process. */
final class Haproxy extends ConnectionServer {

    Haproxy() {
        super(GatewayKind.HAPROXY);
    }

    @Override
    Map<String, String> paths(Trust trust, Identity identity, String prefix) throws IOException {
        Map<String, String> paths = new LinkedHashMap<>();
        paths.put("/etc/highway/tls/ca.crt", trust.authority().toString());
        paths.put("/etc/highway/tls/gateway.pem", trust.joined(identity).toString());
        paths.put("log /dev/log local0", "log stdout format raw local0");
        return paths;
    }

    @Override
    Map<String, String> unguarded() {
        return Map.of("# http-response del-header", "http-response del-header");
    }

    @Override
    void check(Path configuration) throws IOException {
        program.check("-c", "-f", configuration.toString());
    }

    @Override
    List<String> command(Path configuration) {
        return program.with("-W", "-f", configuration.toString());
    }

    @Override
    Map<String, String> drainTime(int seconds) {
        return Map.of("hard-stop-after 60s", "hard-stop-after " + seconds + "s");
    }

    @Override
    String stop() {
        return "USR1";
    }

    @Override
    String reload() {
        return "USR2";
    }
}
