// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code compare.py}, with the files that are here on one side, and broken copies of them on the other. */
@Tag("network")
@Timeout(60)
class CompareTest {

    private static final Path SCRIPT = Path.of("compare.py").toAbsolutePath();

    @TempDir
    private Path folder;

    private record Ended(int code, String output, String errors) {

        List<String> dangers() {
            return output.lines().filter(line -> line.matches("! .* at .*")).toList();
        }
    }

    private Ended run(Path modules, Object... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("python3", SCRIPT.toString()));
        Stream.of(arguments).map(Object::toString).forEach(command::add);
        Path errors = folder.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().put("PYTHONPATH", modules.toString());
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), output, Files.readString(errors));
    }

    private Ended compare(Object... arguments) throws Exception {
        return run(folder, arguments);
    }

    /** CI installs it. */
    private static void assumeYaml(String gateway) throws Exception {
        if (gateway.equals("envoy") || gateway.equals("apisix")) {
            Process process = new ProcessBuilder("python3", "-c", "import yaml")
                    .redirectErrorStream(true)
                    .start();
            process.getInputStream().readAllBytes();
            assumeTrue(process.waitFor() == 0, "PyYAML is not installed");
        }
    }

    private Path copy(String gateway) {
        Path target = folder.resolve(gateway);
        try (Stream<Path> files = Files.walk(Path.of(gateway))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copied = target.resolve(Path.of(gateway).relativize(file));
                Files.createDirectories(copied.getParent());
                Files.copy(file, copied);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return target;
    }

    /** Returns the line of what was replaced. */
    private static long replace(Path file, String pattern, String replacement) throws IOException {
        String text = Files.readString(file);
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as("%s has %s", file, pattern).isTrue();
        long line =
                text.chars().limit(matcher.start()).filter(one -> one == '\n').count() + 1;
        Files.writeString(file, text.substring(0, matcher.start()) + replacement + text.substring(matcher.end()));
        return line;
    }

    @ParameterizedTest
    @ValueSource(strings = {"nginx", "envoy", "haproxy", "apisix"})
    void shippedFilesHaveNothingDangerous(String gateway) throws Exception {
        assumeYaml(gateway);

        Ended ended = compare(gateway, gateway);

        assertThat(ended.errors()).isEmpty();
        assertThat(ended.output())
                .contains("nothing dangerous differs")
                .containsPattern(" island shanghai +yes +yes")
                .containsPattern("(?m)^ {2}address .*gateway\\.hub\\.test:50990")
                .containsPattern("(?m)^ {2}TLS .*(/etc/highway/tls/gateway|\\$env://GATEWAY_CRT)")
                .doesNotContainPattern("(?m)^[!*] ");
        assertThat(ended.code()).isZero();
    }

    /** Gateway, file, what to replace by what, and the line about it, with the number of the replaced line. */
    static Stream<Arguments> broken() {
        String http = "server 1 location ~ ^/highway(/|$)";
        return Stream.of(
                arguments(
                        "nginx/zhejiang.conf",
                        " *grpc_next_upstream off;.*\n",
                        "",
                        "grpc_next_upstream, server 1 location /: A off at zhejiang.conf:%d, B error timeout"),
                arguments(
                        "nginx/zhejiang.conf",
                        "proxy_next_upstream off;",
                        "proxy_next_upstream error non_idempotent;",
                        "proxy_next_upstream, " + http
                                + ": A off at zhejiang.conf:%1$d, B error non_idempotent at zhejiang.conf:%1$d"),
                arguments(
                        "nginx/hub.conf",
                        " *client_max_body_size 0;\n",
                        "",
                        "client_max_body_size, server 1 location /: A 0 at hub.conf:%d, B 1m (default) at hub.conf:"),
                arguments(
                        "nginx/hub.conf",
                        "proxy_read_timeout 3600s;",
                        "proxy_read_timeout 60s;",
                        "proxy_read_timeout, " + http + ": A 3600s at hub.conf:%1$d, B 60s at hub.conf:%1$d"),
                arguments(
                        "nginx/zhejiang.conf",
                        "upstream hub_http \\{\n",
                        "upstream hub_http {\nserver gateway2.hub.test:50990 max_fails=0;\n",
                        "max_fails, upstream hub_http: B 0, 1 (default) at zhejiang.conf:%d"),
                arguments(
                        "nginx/shanghai.conf",
                        " *proxy_hide_header highway-not-forwarded;\n",
                        "",
                        "proxy_hide_header, " + http + ": A highway-not-forwarded at shanghai.conf:"),
                arguments(
                        "nginx/shanghai.conf",
                        "proxy_timeout 3600s;",
                        "proxy_timeout 30s;",
                        "proxy_timeout, stream server 1: A 3600s at shanghai.conf:%1$d, B 30s at shanghai.conf:%1$d"),
                arguments(
                        "envoy/zhejiang.yaml",
                        " *domains: .*\n {22}routes:\n",
                        "                      domains: [\"*\"]\n"
                                + "                      retry_policy: {retry_on: \"connect-failure,unavailable\"}\n"
                                + "                      routes:\n",
                        "retry_policy/retry_on, listener triple virtual_host any route shanghai /highway: A none"),
                arguments(
                        "envoy/hub.yaml",
                        "timeout: 0s\n",
                        "timeout: 15s\n",
                        "route/timeout, listener triple virtual_host any route shanghai /highway:"
                                + " A 0s at hub.yaml:%1$d, B 15s at hub.yaml:%1$d"),
                arguments( // two routes with one island and path
                        "envoy/shanghai.yaml",
                        " {24}- match:\n {28}prefix: /\n",
                        """
                                                - match:
                                                    prefix: /
                                                    headers: [{name: highway-island, string_match: {exact: shanghai}}]
                                                  route: {cluster: triple-providers, timeout: 15s}
                                                - match:
                                                    prefix: /
                        """,
                        "route/timeout, listener triple virtual_host any route shanghai /: A 0s at shanghai.yaml:"),
                arguments(
                        "envoy/minimal.yaml",
                        " *per_connection_buffer_limit_bytes: 33554432.*\n",
                        "",
                        "per_connection_buffer_limit_bytes, listener dubbo: A 33554432 at minimal.yaml:%d,"
                                + " B 1048576 (default) at minimal.yaml:"),
                arguments(
                        "envoy/shanghai.yaml",
                        " *response_headers_to_remove: .*\n",
                        "",
                        "response_headers_to_remove, listener triple virtual_host any route shanghai /highway:"
                                + " A highway-not-forwarded at shanghai.yaml:"),
                arguments(
                        "haproxy/zhejiang.cfg",
                        "retries 0",
                        "retry-on conn-failure response-timeout",
                        "retry-on, backend hub-triple: A conn-failure (default) at zhejiang.cfg:"),
                arguments(
                        "haproxy/shanghai.cfg",
                        "timeout server 1h",
                        "timeout server 30s",
                        "timeout server, backend triple-providers:"
                                + " A 1h at shanghai.cfg:%1$d, B 30s at shanghai.cfg:%1$d"),
                arguments(
                        "haproxy/minimal.cfg",
                        " *tune.bufsize .*\n",
                        "",
                        "tune.bufsize, global: A 1048576 at minimal.cfg:%d, B 16384 (default) at minimal.cfg:"),
                arguments(
                        "haproxy/shanghai.cfg",
                        " *http-response del-header highway-not-forwarded\n",
                        "",
                        "http-response del-header, backend triple-providers: A highway-not-forwarded at shanghai.cfg:"),
                arguments(
                        "apisix/zhejiang/apisix.yaml",
                        " *retries: 0 # the SDK.*\n",
                        "",
                        "retries, upstream hub-triple: A 0 at zhejiang/apisix.yaml:%d, B one for each node"),
                arguments(
                        "apisix/shanghai/apisix.yaml",
                        "read: 3600",
                        "read: 15",
                        "timeout/read, upstream triple-providers: A 3600 at shanghai/apisix.yaml:%1$d,"
                                + " B 15 at shanghai/apisix.yaml:%1$d"),
                arguments(
                        "apisix/hub/config.yaml",
                        "client_max_body_size: 0",
                        "client_max_body_size: 1m",
                        "client_max_body_size, server: A 0 at hub/config.yaml:%1$d, B 1m at hub/config.yaml:%1$d"),
                arguments(
                        "apisix/shanghai/config.yaml",
                        " *grpc_hide_header highway-not-forwarded;\n",
                        "",
                        "grpc_hide_header, server: A highway-not-forwarded at shanghai/config.yaml:"),
                arguments(
                        "apisix/minimal/config.yaml",
                        " *grpc_next_upstream off;\n",
                        "",
                        "grpc_next_upstream, server: A off at minimal/config.yaml:%d, B error timeout (default) at"));
    }

    @ParameterizedTest
    @MethodSource("broken")
    void namesWhatIsBroken_onOneSideAndOnBoth(String file, String pattern, String replacement, String expected)
            throws Exception {
        String gateway = Path.of(file).getName(0).toString();
        assumeYaml(gateway);
        Path other = copy(gateway);
        long line = replace(folder.resolve(file), pattern, replacement);

        Ended one = compare(gateway, other);
        Ended both = compare(other, other);

        assertThat(one.dangers()).anySatisfy(danger -> assertThat(danger).startsWith("! " + expected.formatted(line)));
        assertThat(one.output()).doesNotContain("A and B behave differently");
        assertThat(one.code()).isEqualTo(1);
        String what = "! " + expected.substring(0, expected.indexOf(": "));
        assertThat(both.dangers()).anySatisfy(danger -> assertThat(danger).startsWith(what));
        assertThat(both.code()).isEqualTo(1);
    }

    /** Each value is safe, but one was tested and the other was not. */
    @ParameterizedTest
    @MethodSource
    void namesDangerousSettingsThatDiffer(String file, String pattern, String replacement, String expected)
            throws Exception {
        String gateway = Path.of(file).getName(0).toString();
        assumeYaml(gateway);
        Path other = copy(gateway);
        long line = replace(folder.resolve(file), pattern, replacement);

        Ended one = compare(other, gateway);
        Ended both = compare(other, other);

        assertThat(one.dangers()).anySatisfy(danger -> assertThat(danger).startsWith("! " + expected.formatted(line)));
        assertThat(one.output()).contains("\n    A and B behave differently\n");
        assertThat(one.code()).isEqualTo(1);
        assertThat(both.code()).isZero();
    }

    static Stream<Arguments> namesDangerousSettingsThatDiffer() {
        return Stream.of(
                arguments(
                        "nginx/hub.conf",
                        "grpc_read_timeout 3600s;",
                        "grpc_read_timeout 2h;",
                        "grpc_read_timeout, server 1 location /: A 2h at hub.conf:%1$d, B 3600s at hub.conf:%1$d"),
                arguments(
                        "envoy/hub.yaml",
                        " *max_request_headers_kb: 96\n",
                        "",
                        "max_request_headers_kb, listener triple: A 60 (default) at hub.yaml:"),
                arguments(
                        "haproxy/zhejiang.cfg",
                        " *option idle-close-on-response\n",
                        "",
                        "option idle-close-on-response, frontend triple: A off (default) at zhejiang.cfg:"));
    }

    @Test
    void showsIslandsAddressesAndTlsFiles_whichAreNotDangerous() throws Exception {
        Path other = copy("nginx");
        Path file = other.resolve("zhejiang.conf");
        replace(file, "ssl_certificate /etc/highway/tls/gateway.crt", "ssl_certificate /etc/highway/tls/gateway.key");
        replace(
                file,
                "ssl_certificate_key /etc/highway/tls/gateway.key",
                "ssl_certificate_key /etc/highway/tls/gateway.crt");
        replace(file, "shanghai hub_triple;\n", "shanghai hub_triple;\nwuhan hub_triple;\n");
        replace(file, "server gateway.hub.test:50990", "server 10.1.2.3:50990");
        replace(file, "client_max_body_size 0;", "client_max_body_size 0; # client_max_body_size 1m;\n# retries 3");
        replace(file, "grpc_read_timeout 3600s", "grpc_read_timeout 1h");
        Files.delete(other.resolve("hub.conf"));

        Ended ended = compare("nginx", other);

        assertThat(ended.output())
                .containsPattern("(?m)^\\* island wuhan +- +yes$")
                .containsPattern(
                        "(?m)^\\* address server, upstream hub_triple +gateway.hub.test:50990 +10.1.2.3:50990$")
                .containsPattern(
                        "(?m)^\\* TLS ssl_certificate, server 1 +/etc/highway/tls/gateway.crt +/etc/.*/gateway.key$")
                .containsPattern(
                        "(?m)^\\* TLS ssl_certificate_key, server 1 +/etc/highway/tls/gateway.key +/etc/.*/gateway.crt$")
                .contains("hub.conf: nginx, only in A")
                .doesNotContainPattern("(?m)^!");
        assertThat(ended.code()).isZero();
    }

    /** A server that was not reached has got nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"retries 3", "retries 3\nretry-on conn-failure", "retries 3\noption redispatch"})
    void connectionsThatHaProxyTriesAgain_areNotDangerous(String retries) throws Exception {
        Path other = copy("haproxy");
        replace(other.resolve("zhejiang.cfg"), "retries 0", retries);

        Ended ended = compare("haproxy", other);

        assertThat(ended.output())
                .containsPattern("(?m)^\\* retries, backend hub-triple and 2 more +0 +3$")
                .doesNotContainPattern("(?m)^!");
        assertThat(ended.code()).isZero();
    }

    @Test
    void leavesOutWhatItDoesNotUnderstand_andSaysSo() throws Exception {
        assumeYaml("envoy");

        Ended ended = compare("envoy", "envoy");

        assertThat(ended.output()).contains("istio-retries.yaml: not understood");
    }

    @Test
    void endsWithTwo_forWrongUsage() throws Exception {
        Path empty = Files.createDirectory(folder.resolve("empty"));

        assertThat(List.of(
                        compare(),
                        compare("nginx"),
                        compare("--nonsense"),
                        compare("nginx", "nowhere"),
                        compare("nginx", empty),
                        compare("reference", "reference")))
                .allSatisfy(ended -> {
                    assertThat(ended.code()).isEqualTo(2);
                    assertThat(ended.output()).isEmpty();
                    assertThat(ended.errors())
                            .containsPattern("^compare.py: (wants two folders|.* have no file of nginx)");
                });
    }

    @Test
    void needsPyYamlForYamlOnly() throws Exception {
        Path modules = Files.createDirectory(folder.resolve("modules"));
        Files.writeString(modules.resolve("yaml.py"), "raise ImportError()\n");

        Ended envoy = run(modules, "envoy", "envoy");
        Ended nginx = run(modules, "nginx", "nginx");

        assertThat(envoy.code()).isEqualTo(2);
        assertThat(envoy.errors())
                .startsWith("compare.py: applications.yaml: YAML needs PyYAML 6: python3-yaml of Debian");
        assertThat(nginx.code()).isZero();
    }

    @Test
    void hasHelpThatFitsATerminal() throws Exception {
        Ended help = compare("--help");

        assertThat(help.code()).isZero();
        assertThat(help.output()).contains("Usage: tools/gateways/compare.py ");
        assertThat(help.output().lines()).allMatch(line -> line.length() <= 120);
        assertThat(SCRIPT).isExecutable();
    }
}
