// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The packages of every module, by the imports in its sources: the modules that use this one are not compiled yet when
 * its tests run. {@link ArchitectureTest} checks the classes of this module.
 */
@Tag("any-dubbo")
class SourcePackagesTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?(([a-z]\\w*\\.)+)[\\w.*]+;");
    private static final Pattern INTERNAL = Pattern.compile(
            "(?m)^import (?:static )?io\\.highway\\.sdk\\.dubbo\\.internal\\.([a-z]\\w*\\.(?:[a-z]\\w*\\.)*[A-Z]\\w*)");

    /** They measure and attack the SDK from inside. */
    private static final Set<String> MAY_USE_INTERNALS = Set.of("benchmarks", "conformance");

    /** What a tunnel in an artifact of its own needs: calls and frames, connections, memory, the checks before a request is decoded. */
    private static final Set<String> OF_HTTP = Set.of(
            "application.HighwayRuntime",
            "background.BackgroundTasks",
            "call.CallAttributes",
            "call.InboundHttpTunnelCall",
            "evidence.NotSentStatements",
            "limits.LogLimit",
            "memory.MemoryBudget",
            "memory.BodyBuffer",
            "memory.BodyBackpressure",
            "network.compression.AnswerCompressor",
            "network.compression.GrpcMessageCompression",
            "network.compression.InflatedMessage",
            "network.compression.BoundedInflater",
            "network.compression.UnreadableAnswerException",
            "network.connection.GatewayClient",
            "network.connection.ConnectionOpener",
            "network.connection.ConnectionPreface",
            "network.connection.ConnectionHandler",
            "network.connection.TunnelProtocol",
            "network.frame.FrameHeader",
            "network.frame.EncodedFrame",
            "network.frame.FrameCall",
            "network.frame.FrameTransport",
            "network.frame.FrameInvoker",
            "network.frame.RequestFrame",
            "network.http2.RequestInflater",
            "policy.Policy",
            "provider.server.AdmissionHandler",
            "provider.server.DelegatingProtocol",
            "provider.server.PreDecodeCheck",
            "provider.server.ServerContext",
            "provider.server.UndecodedCall",
            "signature.DuplicateRequestFilter");

    /** What the starter shows that no API type has. */
    private static final Set<String> OF_STARTER = Set.of(
            "caller.route.SpringIslandAnnotations",
            "caller.route.IntentResolver",
            "operate.report.PlainValues",
            "operate.report.ReportBuilder",
            "policy.HighwayKeys",
            "policy.ConfigurationSources",
            "policy.RawSettings",
            "policy.Policy",
            "application.CustomizationCollector",
            "application.DubboVersionCheck",
            "application.HighwayRuntime",
            "application.IslandActivity");

    /** The clock and the connections are replaced for tests, with the evidence that connections record; the rest is read. */
    private static final Set<String> OF_TEST = Set.of(
            "background.ApplicationClock",
            "policy.RawSettings",
            "policy.ConfigurationSources",
            "policy.Policy",
            "policy.PolicyParser",
            "provider.server.DelegatingProtocol",
            "network.connection.GatewayClients",
            "network.connection.TunnelProtocol",
            "network.connection.RequestFinalizer",
            "network.connection.ConnectionPreface",
            "network.connection.GatewayClient",
            "network.connection.ConnectionOpener",
            "provider.server.RefusalStatement",
            "caller.endpoint.GatewayEndpoint",
            "evidence.AttemptEvidence",
            "evidence.Failure",
            "evidence.NotWrittenException",
            "evidence.NotSentStatements",
            "call.InboundHttpTunnelCall",
            "call.CanonicalMethod",
            "call.DubboCall",
            "application.HighwayRuntime");

    /** The source folders of all modules. */
    static List<Path> modules() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT, 5)) {
            return files.filter(file -> file.endsWith("src/main/java"))
                    .map(ROOT::relativize)
                    .sorted()
                    .toList();
        }
    }

    private static List<String> sources(Path module) {
        try (Stream<Path> files = Files.walk(ROOT.resolve(module))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(SourcePackagesTest::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("modules")
    void nameTheLicence(Path module) {
        assertThat(sources(module)).allSatisfy(source -> assertThat(source)
                .startsWith("// SPDX-FileCopyrightText: the Highway SDK authors\n"
                        + "// SPDX-License-Identifier: Apache-2.0\n"));
    }

    @ParameterizedTest
    @MethodSource("modules")
    void formNoCycles(Path module) {
        Map<String, Set<String>> imported = new TreeMap<>();
        for (String source : sources(module)) {
            Matcher own = PACKAGE.matcher(source);
            assertThat(own.find()).isTrue();
            Set<String> others = imported.computeIfAbsent(own.group(1), any -> new TreeSet<>());
            IMPORT.matcher(source)
                    .results()
                    .map(result -> result.group(1).substring(0, result.group(1).length() - 1))
                    .filter(other -> !other.equals(own.group(1)))
                    .forEach(others::add);
        }

        boolean any = true;
        while (any) { // a package that imports none of those left is in no cycle
            Set<String> left = new HashSet<>(imported.keySet());
            any = imported.values().removeIf(others -> others.stream().noneMatch(left::contains));
        }
        assertThat(imported.keySet()).as("packages that import each other").isEmpty();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void useThePublicApi_outsideOfTheSdk(Path module) {
        String name = module.getName(module.startsWith("samples") || module.startsWith("tools") ? 1 : 0)
                .toString();
        Set<String> internals = new TreeSet<>();
        sources(module).forEach(source -> INTERNAL.matcher(source)
                .results()
                .map(result -> result.group(1))
                .forEach(internals::add));

        internals.removeIf(type -> name.equals("highway-sdk-http") && type.startsWith("http.")); // its own
        if (!name.equals("highway-sdk-dubbo-filter") && !MAY_USE_INTERNALS.contains(name)) {
            internals.removeAll(
                    switch (name) {
                        case "highway-sdk-spring-starter" -> OF_STARTER;
                        case "highway-sdk-http" -> OF_HTTP;
                        case "highway-sdk-test" -> OF_TEST;
                        case "security" -> // as the gateway, whose frames it reads
                            Set.of("facts.DubboRequestFacts", "network.frame.FrameHeader");
                        case "gateway" ->
                            Set.of(
                                    "facts.DubboRequestFacts",
                                    "facts.UnreadableRequestException",
                                    "network.frame.FrameHeader");
                        case "kit" -> Set.of("application.HighwayRuntime"); // a bean that the starter's meters need
                        default -> Set.of();
                    });
            assertThat(internals).as("internal types that are not listed here").isEmpty();
        }
    }

    static Stream<Arguments> listed() {
        return Stream.of(
                Arguments.of("highway-sdk-http", OF_HTTP),
                Arguments.of("highway-sdk-spring-starter", OF_STARTER),
                Arguments.of("highway-sdk-test", OF_TEST));
    }

    @ParameterizedTest
    @MethodSource("listed")
    void everyListedInternalTypeIsUsed(String module, Set<String> types) {
        String all = String.join("", sources(Path.of(module, "src/main/java")));

        assertThat(types).allSatisfy(type -> assertThat(all).contains("import io.highway.sdk.dubbo.internal." + type));
    }

    /** {@link ArchitectureTest} checks the uses in this module. */
    @ParameterizedTest
    @ValueSource(strings = {"highway-sdk-api", "highway-sdk-http", "highway-sdk-spring-starter", "highway-sdk-test"})
    void useNothingThatIsInternalToALibrary(String module) {
        assertThat(sources(Path.of(module, "src/main/java")).stream()
                        .flatMap(source -> IMPORT.matcher(source).results())
                        .map(MatchResult::group)
                        .filter(name -> name.contains(".internal.") && !name.contains(" io.highway.")))
                .isEmpty();
    }
}
