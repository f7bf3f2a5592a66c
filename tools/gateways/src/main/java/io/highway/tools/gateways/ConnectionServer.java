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

/**
 * A server that sees connections only where Dubbo frames go, and whose first process starts the ones that work: nginx with
 * its stream module, APISIX, which is an nginx, or HAProxy with its master process.
 */
record ConnectionServer(GatewayKind kind, Program program) {

    /** The one that is installed. */
    static ConnectionServer of(GatewayKind kind) {
        return new ConnectionServer(kind, Program.of(kind));
    }

    /**
     * The placeholders in its configurations for the paths of a run.
     *
     * @param prefix of the files it writes
     */
    Map<String, String> paths(Trust trust, Identity identity, String prefix) throws IOException {
        Map<String, String> paths = new LinkedHashMap<>();
        if (kind == GatewayKind.HAPROXY) {
            paths.put("/etc/highway/tls/ca.crt", trust.authority().toString());
            paths.put("/etc/highway/tls/gateway.pem", trust.joined(identity).toString());
            paths.put("log /dev/log local0", "log stdout format raw local0");
            return paths;
        }
        paths.putAll(trust.paths(identity));
        paths.put("/var/log/nginx/", prefix);
        if (kind == GatewayKind.NGINX) {
            paths.put("/run/nginx.pid", prefix + "nginx.pid");
            paths.put("/var/lib/nginx/", Files.createDirectories(Path.of(prefix + "temporary")) + "/");
        }
        return paths;
    }

    /** The statement of a remote gateway about providers without the SDK, and its replacement. */
    Map<String, String> unguarded() {
        String statement = kind == GatewayKind.HAPROXY ? "http-response del-header" : "grpc_hide_header";
        return Map.of("# " + statement, statement);
    }

    /** The placeholder of the address where it takes HTTP/1.1 without TLS; empty if it does where it takes Triple. */
    Optional<String> http() {
        return kind == GatewayKind.NGINX ? Optional.of("0.0.0.0:8080") : Optional.empty();
    }

    /** Fails if it would not start with it; APISIX checks that when it starts. */
    void check(Path configuration) throws IOException {
        if (kind == GatewayKind.NGINX) {
            program.check("-t", "-c", configuration.toString());
        } else if (kind == GatewayKind.HAPROXY) {
            program.check("-c", "-f", configuration.toString());
        }
    }

    /** Runs it in the foreground. */
    List<String> command(Path configuration) throws IOException {
        return switch (kind) {
            case HAPROXY -> program.with("-W", "-f", configuration.toString());
            case APISIX -> Program.apisix(configuration.toString());
            default -> program.with("-c", configuration.toString());
        };
    }

    /** The drain time in its configurations, and what replaces it. */
    Map<String, String> drainTime(int seconds) {
        return switch (kind) {
            case HAPROXY -> Map.of("hard-stop-after 60s", "hard-stop-after " + seconds + "s");
            case APISIX -> Map.of("worker_shutdown_timeout: 60s", "worker_shutdown_timeout: " + seconds + "s");
            default -> Map.of("worker_shutdown_timeout 60s;", "worker_shutdown_timeout " + seconds + "s;");
        };
    }

    /** What makes it end connections after some calls, as nginx does by default; empty if it never does. */
    Map<String, String> limits() {
        return kind == GatewayKind.HAPROXY
                ? Map.of()
                : Map.of("keepalive_requests 1000000000;", "keepalive_requests 1000;");
    }

    /** The signal after which it takes no calls and ends as soon as its own are over. */
    String stop() {
        return kind == GatewayKind.HAPROXY ? "USR1" : "QUIT";
    }

    /** The signal after which new processes take over and the old ones end as soon as their calls are over. */
    String reload() {
        return kind == GatewayKind.HAPROXY ? "USR2" : "HUP";
    }
}
