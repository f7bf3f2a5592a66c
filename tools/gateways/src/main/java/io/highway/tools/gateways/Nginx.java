// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.fixtures.certificates.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** nginx with its stream module. */
class Nginx extends ConnectionServer {

    Nginx() {
        this(GatewayKind.NGINX);
    }

    Nginx(GatewayKind kind) {
        super(kind);
    }

    static Map<String, String> certificates(Trust trust, Identity identity) {
        return Map.of(
                "/etc/highway/tls/ca.crt", trust.authority().toString(),
                "/etc/highway/tls/gateway.crt", identity.certificate().toString(),
                "/etc/highway/tls/gateway.key", identity.privateKey().toString());
    }

    @Override
    Map<String, String> paths(Trust trust, Identity identity, String prefix) throws IOException {
        Map<String, String> paths = new LinkedHashMap<>(certificates(trust, identity));
        paths.put("/var/log/nginx/", prefix);
        paths.put("/run/nginx.pid", prefix + "nginx.pid");
        paths.put("/var/lib/nginx/", Files.createDirectories(Path.of(prefix + "temporary")) + "/");
        return paths;
    }

    @Override
    Map<String, String> unguarded() {
        return Map.of("# grpc_hide_header", "grpc_hide_header");
    }

    @Override
    Optional<String> http() {
        return Optional.of("0.0.0.0:8080");
    }

    @Override
    void check(Path configuration) throws IOException {
        program.check("-t", "-c", configuration.toString());
    }

    @Override
    List<String> command(Path configuration) throws IOException {
        return program.with("-c", configuration.toString());
    }

    @Override
    Map<String, String> drainTime(int seconds) {
        return Map.of("worker_shutdown_timeout 60s;", "worker_shutdown_timeout " + seconds + "s;");
    }

    /** Its default. */
    @Override
    Map<String, String> limits() {
        return Map.of("keepalive_requests 1000000000;", "keepalive_requests 1000;");
    }

    @Override
    String stop() {
        return "QUIT";
    }

    @Override
    String reload() {
        return "HUP";
    }
}
