// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.highway.tools.fixtures.certificates.Identity;
import io.highway.tools.fixtures.http.HttpOrigin;
import io.highway.tools.fixtures.http.HttpOrigin.Then;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.fixtures.time.Waiting;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;

/**
 * What can be checked of the files of APISIX without it. It drops an entry with an unknown key and says so in its log only, so
 * keys are those of its {@code schema_def.lua} and {@code cli/config.lua} that are in use.
 */
class ApisixFilesTest {

    private static final Set<String> SECTIONS = Set.of("routes", "upstreams", "ssls");
    private static final Set<String> OF_ROUTES =
            Set.of("id", "uri", "uris", "priority", "vars", "plugins", "upstream", "upstream_id");
    private static final Set<String> OF_UPSTREAMS =
            Set.of("id", "type", "scheme", "pass_host", "upstream_host", "nodes", "retries", "timeout");
    private static final Set<String> OF_SSLS = Set.of("id", "snis", "cert", "key", "client");
    private static final Set<String> OF_CONFIG =
            Set.of("deployment", "apisix", "nginx_config", "plugins", "stream_plugins");
    private static final Set<String> OF_APISIX =
            Set.of("enable_admin", "enable_control", "enable_http2", "node_listen", "ssl", "proxy_mode");
    private static final Set<String> OF_NGINX = Set.of(
            "worker_rlimit_nofile",
            "event",
            "worker_shutdown_timeout",
            "http",
            "main_configuration_snippet",
            "http_configuration_snippet",
            "http_server_configuration_snippet");

    private static final List<String> HIGHWAY = List.of("/highway", "/highway/*");
    private static final String NOT_FORWARDED = "highway-not-forwarded";
    private static final int CLOSED = 9;

    @TempDir
    Path folder;

    /** With two islands, hosts on this machine. */
    private String rendered(String place) throws IOException {
        Template template = Template.of(GatewayKind.APISIX, place);
        Trust trust = new Trust(folder.resolve("certificates"));
        Identity identity = trust.gateway(place);
        Map<String, String> values = new LinkedHashMap<>(trust.paths(identity));
        values.put("/var/log/nginx", folder.toString());
        values.put("0.0.0.0", "127.0.0.1");
        values.keySet().removeIf(what -> !template.text().contains(what));
        boolean repeats = template.text().contains("# for each island:");
        List<Map<String, String>> islands = repeats
                ? List.of(
                        Map.of("shanghai", "shanghai"),
                        Map.of("shanghai", "wuhan", "20991", "20992", ":20881", ":20882", ":21881", ":21882"))
                : List.of();
        return template.render(values, islands).replaceAll("[a-z.]+\\.test:", "127.0.0.1:");
    }

    private static String part(String rendered, int number) {
        String[] files = rendered.split("\n---\n", -1);
        assertThat(files).hasSize(2);
        return files[number];
    }

    private static Map<String, Object> yaml(String text) {
        LoaderOptions strict = new LoaderOptions();
        strict.setAllowDuplicateKeys(false);
        return new Yaml(strict).load(text);
    }

    @SuppressWarnings("unchecked") // of YAML
    private static Map<String, Object> map(Map<String, Object> in, String key) {
        return (Map<String, Object>) in.getOrDefault(key, Map.of());
    }

    @SuppressWarnings("unchecked") // of YAML
    private static <T> List<T> list(Map<String, Object> in, String key) {
        return (List<T>) in.getOrDefault(key, List.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"minimal", "applications", "zhejiang", "hub", "shanghai"})
    void routesHaveKnownKeysAndUpstreams_andNothingIsSentTwice(String place) throws IOException {
        String text = part(rendered(place), 1);
        Map<String, Object> file = yaml(text);
        List<Map<String, Object>> routes = list(file, "routes");
        List<Map<String, Object>> upstreams = list(file, "upstreams");
        List<Map<String, Object>> ssls = list(file, "ssls");

        assertThat(text).endsWith("\n#END\n");
        assertThat(file.keySet()).isSubsetOf(SECTIONS);
        assertThat(routes).allSatisfy(route -> assertThat(route.keySet()).isSubsetOf(OF_ROUTES));
        assertThat(ssls).allSatisfy(ssl -> {
            assertThat(ssl.keySet()).isSubsetOf(OF_SSLS);
            assertThat(map(ssl, "client")).containsOnlyKeys("depth", "ca");
        });
        assertThat(routes).extracting(route -> route.get("id")).doesNotHaveDuplicates();
        assertThat(upstreams).extracting(upstream -> upstream.get("id")).doesNotHaveDuplicates();
        assertThat(routes.stream().map(route -> route.get("upstream_id")).filter(id -> id != null))
                .isNotEmpty()
                .isSubsetOf(
                        upstreams.stream().map(upstream -> upstream.get("id")).toList());
        Stream<Map<String, Object>> own =
                routes.stream().filter(route -> route.containsKey("upstream")).map(route -> map(route, "upstream"));
        assertThat(Stream.concat(upstreams.stream(), own)).allSatisfy(upstream -> {
            assertThat(upstream.keySet()).isSubsetOf(OF_UPSTREAMS);
            assertThat(upstream).containsEntry("retries", 0);
            assertThat(map(upstream, "nodes")).hasSize(1);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"minimal", "applications", "zhejiang", "hub", "shanghai"})
    void eachIslandHasARouteOfEachTunnel_andAllOthersAreUnknown(String place) throws IOException {
        Map<String, Object> file = yaml(part(rendered(place), 1));
        List<Map<String, Object>> routes = list(file, "routes");
        boolean hasHttp = !place.equals("applications");

        List<Object> triple = islands(routes, route -> "/*".equals(route.get("uri")));
        assertThat(triple).isNotEmpty();
        assertThat(islands(routes, route -> HIGHWAY.equals(route.get("uris")))).isEqualTo(hasHttp ? triple : List.of());
        assertThat(scheme(file, "-http|http-")).isSubsetOf(place.matches("zhejiang|hub") ? "https" : "http");
        assertThat(scheme(file, "-triple|triple-")).containsOnly(place.matches("zhejiang|hub") ? "grpcs" : "grpc");
        for (List<String> paths : hasHttp ? List.of(List.of("/*"), HIGHWAY) : List.of(List.of("/*"))) {
            List<Map<String, Object>> same = routes.stream()
                    .filter(route -> paths.equals(route.getOrDefault("uris", List.of(route.getOrDefault("uri", "")))))
                    .toList();
            assertThat(same.stream().filter(route -> !route.containsKey("vars")).mapToInt(ApisixFilesTest::priority))
                    .hasSize(1)
                    .allMatch(lowest -> same.stream()
                            .filter(route -> route.containsKey("vars"))
                            .allMatch(route -> priority(route) > lowest));
        }
    }

    private static List<Object> islands(List<Map<String, Object>> routes, Predicate<Map<String, Object>> which) {
        return routes.stream()
                .filter(route -> route.containsKey("vars"))
                .filter(which)
                .map(route -> {
                    List<Object> condition =
                            ApisixFilesTest.<List<Object>>list(route, "vars").get(0);
                    assertThat(condition.subList(0, 2)).containsExactly("http_highway_island", "==");
                    return condition.get(2);
                })
                .toList();
    }

    private static List<Object> scheme(Map<String, Object> file, String id) {
        Pattern pattern = Pattern.compile(id);
        List<Map<String, Object>> upstreams = list(file, "upstreams");
        return upstreams.stream()
                .filter(upstream ->
                        pattern.matcher(String.valueOf(upstream.get("id"))).find())
                .map(upstream -> upstream.get("scheme"))
                .toList();
    }

    private static int priority(Map<String, Object> route) {
        return (int) route.getOrDefault("priority", 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"minimal", "applications", "zhejiang", "hub", "shanghai"})
    void configurationsHaveKnownKeys_allPlugins_andWhatKeepsCallsFromBeingLost(String place) throws IOException {
        String rendered = rendered(place);
        Map<String, Object> file = yaml(part(rendered, 0));
        Map<String, Object> apisix = map(file, "apisix");
        Map<String, Object> nginx = map(file, "nginx_config");
        Map<String, Object> ssl = map(apisix, "ssl");

        assertThat(file.keySet()).isSubsetOf(OF_CONFIG);
        assertThat(apisix.keySet()).isSubsetOf(OF_APISIX);
        assertThat(nginx.keySet()).isSubsetOf(OF_NGINX);
        assertThat(apisix)
                .containsEntry("enable_http2", true)
                .containsEntry("enable_control", false)
                .containsEntry("proxy_mode", "http");
        assertThat(Stream.of(list(apisix, "node_listen"), list(ssl, "listen")).flatMap(List::stream))
                .isNotEmpty()
                .allSatisfy(
                        address -> assertThat(((Map<?, ?>) address).keySet()).isEqualTo(Set.of("ip", "port")));
        assertThat(ssl).as("3.18 starts only with a file").containsKey("ssl_trusted_certificate");
        assertThat(list(file, "stream_plugins")).isEmpty();
        List<Map<String, Object>> routes = list(yaml(part(rendered, 1)), "routes");
        assertThat(routes.stream().flatMap(route -> map(route, "plugins").keySet().stream()))
                .isSubsetOf(ApisixFilesTest.<String>list(file, "plugins"));

        assertThat(snippet(nginx, "http_configuration")).contains("keepalive_min_timeout 10s;");
        String server = snippet(nginx, "http_server_configuration");
        assertThat(server).contains("grpc_next_upstream off;", "error_page 500 502 503 504 = @highway_failed;");
        if (!place.equals("applications")) {
            assertThat(server)
                    .contains(
                            "proxy_next_upstream off;",
                            "proxy_request_buffering off;",
                            "proxy_buffering off;",
                            "proxy_buffer_size 64k;",
                            "proxy_buffers 4 64k;",
                            "proxy_read_timeout 3600s;");
            assertThat(server.contains("\nproxy_hide_header " + NOT_FORWARDED + ";"))
                    .as("in front of providers only")
                    .isEqualTo(server.contains("\ngrpc_hide_header " + NOT_FORWARDED + ";"))
                    .isEqualTo(!place.matches("zhejiang|hub"));
        }
    }

    private static String snippet(Map<String, Object> nginx, String name) {
        return String.valueOf(nginx.get(name + "_snippet"));
    }

    /** Between lines as those of APISIX' ngx_tpl.lua; nginx 1.22 does not have a directive that APISIX has. */
    private Path server(String rendered, String more) throws IOException {
        Map<String, Object> file = yaml(part(rendered, 0));
        Map<String, Object> nginx = map(file, "nginx_config");
        Object trusted = map(map(file, "apisix"), "ssl").get("ssl_trusted_certificate");
        Path written = folder.resolve("nginx.conf");
        return Files.writeString(
                written,
                """
                load_module /usr/lib/nginx/modules/ngx_stream_module.so;
                %s
                pid logs/nginx.pid;
                error_log logs/error.log;
                events {
                }
                http {
                    access_log off;
                    client_body_temp_path body;
                    proxy_temp_path proxy;
                    fastcgi_temp_path fastcgi;
                    uwsgi_temp_path uwsgi;
                    scgi_temp_path scgi;
                    %s
                    server {
                        proxy_ssl_trusted_certificate %s;
                        %s
                        proxy_ssl_name $upstream_host;
                        proxy_ssl_server_name on;
                        %s
                        location / {
                            set $upstream_host "";
                            proxy_pass http://127.0.0.1:9;
                        }
                    }
                }
                """
                        .formatted(
                                snippet(nginx, "main_configuration"),
                                snippet(nginx, "http_configuration").replaceAll("keepalive_min_timeout.*", ""),
                                trusted,
                                snippet(nginx, "http_server_configuration"),
                                more));
    }

    private static Program nginx() {
        assumeThat(Program.look(GatewayKind.NGINX)).as("nginx is installed").isPresent();
        return Program.of(GatewayKind.NGINX);
    }

    @ParameterizedTest
    @ValueSource(strings = {"minimal", "applications", "zhejiang", "hub", "shanghai"})
    void nginxTakesTheSnippets(String place) throws IOException {
        Program nginx = nginx();
        Files.createDirectories(folder.resolve("logs"));
        Path file = server(rendered(place), "listen 127.0.0.1:" + FreePorts.next() + ";");

        nginx.check("-t", "-p", folder.toString(), "-c", file.toString());
    }

    /** The script that runs APISIX, with nginx in its place and a command that writes nginx's file as {@code apisix init} does. */
    @Test
    @Tag("network")
    void theLauncherStartsIt_andErrorsSayWhatWasNotSent() throws Exception {
        Program nginx = nginx();
        int port = FreePorts.next();
        try (Processes processes = new Processes(folder);
                HttpOrigin provider = new HttpOrigin(0)) {
            Path rendered = Files.writeString(folder.resolve("zhejiang-gateway.yaml"), rendered("zhejiang"));
            String locations =
                    """
                    listen 127.0.0.1:%d;
                    location = /highway/limit { return 503; }
                    location = /limit { return 503; }
                    location = /highway/lost { proxy_pass http://127.0.0.1:%d; }
                    """
                            .formatted(port, provider.port());
            Path home = home(nginx, server(movedPorts(Files.readString(rendered)), locations));

            List<String> command = new ArrayList<>(
                    List.of("env", "APISIX_HOME=" + home, "PATH=" + home + "/bin:" + System.getenv("PATH")));
            command.addAll(Program.apisix(rendered.toString()));
            processes.startProgram("zhejiang-gateway", command, List.of(port));

            Path seen = home.resolve("seen");
            assertThat(Files.readString(seen.resolve("conf/cert/ssl_PLACE_HOLDER.crt")))
                    .isEqualTo("kept");
            assertThat(yaml(Files.readString(seen.resolve("conf/config.yaml")))).containsKey("nginx_config");
            String routes = Files.readString(seen.resolve("conf/apisix.yaml"));
            Map<String, Object> ssl = ApisixFilesTest.<Map<String, Object>>list(yaml(routes), "ssls")
                    .get(0);
            assertThat(map(ssl, "client").get("ca"))
                    .isEqualTo(Files.readString(folder.resolve("certificates/highway.crt")));
            assertThat(routes).endsWith("\n#END\n");
            assertThat(Files.readString(seen.resolve("certificate"))).startsWith("-----BEGIN CERTIFICATE-----");
            assertThat(Files.readString(seen.resolve("key"))).contains("PRIVATE KEY-----");
            assertThat(folder.resolve("zhejiang-gateway.yaml-logs/nginx.pid")).exists();

            String unreachable = "shanghai;upstream-unreachable";
            assertAnswer(port, "/highway/x", 502, "", unreachable + " 127.0.0.1:" + CLOSED);
            assertAnswer(port, "/highway/limit", 502, "", unreachable + " ");
            assertAnswer(port, "/com.foo.SmsService/send", 200, "14", unreachable + " 127.0.0.1:" + CLOSED);
            assertAnswer(port, "/limit", 200, "14", unreachable + " ");
            provider.then(Then.CLOSE);
            assertAnswer(port, "/highway/lost", 502, "", "");
            assertThat(provider.heads()).hasSize(1);

            Path prefix = Path.of(Files.readString(seen.resolve("prefix")).strip());
            assertThat(prefix).exists();
            processes.end("zhejiang-gateway");
            assertThat(Waiting.until(Duration.ofSeconds(10), 50, () -> !Files.exists(prefix)))
                    .as("the prefix is removed")
                    .isTrue();
        }
    }

    /** Of the stream block, which nginx opens, too. */
    private static String movedPorts(String rendered) {
        String moved = rendered;
        for (int usual : new int[] {20881, 20882, 21881, 21882}) {
            moved = moved.replace("127.0.0.1:" + usual, "127.0.0.1:" + FreePorts.next());
        }
        return moved;
    }

    private Path home(Program nginx, Path configuration) throws IOException {
        Path home = folder.resolve("home");
        for (String part : List.of("apisix/cli", "bin", "conf/cert", "seen")) {
            Files.createDirectories(home.resolve(part));
        }
        Files.writeString(home.resolve("apisix/cli/apisix.lua"), "--");
        Files.writeString(home.resolve("conf/cert/ssl_PLACE_HOLDER.crt"), "kept");
        Files.createSymbolicLink(home.resolve("bin/openresty"), Path.of(nginx.file()));
        Path apisix = Files.writeString(
                home.resolve("bin/apisix"),
                """
                #!/bin/sh
                [ "$1" = init ] && [ -s apisix/cli/apisix.lua ] || exit 1
                cp %s conf/nginx.conf
                cp -R conf "$APISIX_HOME/seen"
                pwd >"$APISIX_HOME/seen/prefix"
                echo "$GATEWAY_CRT" >"$APISIX_HOME/seen/certificate"
                echo "$GATEWAY_KEY" >"$APISIX_HOME/seen/key"
                """
                        .formatted(configuration));
        assertThat(apisix.toFile().setExecutable(true)).isTrue();
        return home;
    }

    private static void assertAnswer(int port, String path, int status, String grpc, String statement)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .version(HttpClient.Version.HTTP_1_1)
                                .header("highway-island", "shanghai")
                                .POST(BodyPublishers.ofString("x"))
                                .build(),
                        BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(path).isEqualTo(status);
        assertThat(answer.headers().firstValue("grpc-status").orElse(""))
                .as(path)
                .isEqualTo(grpc);
        assertThat(answer.headers().firstValue(NOT_FORWARDED).orElse(""))
                .as(path)
                .isEqualTo(statement.strip());
    }
}
