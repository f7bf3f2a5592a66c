// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.spring.StartedBeans.AnnotatedService;
import io.highway.sdk.spring.StartedBeans.AutowiredSetter;
import io.highway.sdk.spring.StartedBeans.AutowiredSms;
import io.highway.sdk.spring.StartedBeans.FinalField;
import io.highway.sdk.spring.StartedBeans.GoodReferences;
import io.highway.sdk.spring.StartedBeans.NewOrders;
import io.highway.sdk.spring.StartedBeans.NoIslandAtTheReference;
import io.highway.sdk.spring.StartedBeans.Nothing;
import io.highway.sdk.spring.StartedBeans.ParameterOfAMethod;
import io.highway.sdk.spring.StartedBeans.ParameterOfAnotherConstructor;
import io.highway.sdk.spring.StartedBeans.ParameterOfTheSuperclass;
import io.highway.sdk.spring.StartedBeans.ParameterWithAnAnnotationOfItsOwn;
import io.highway.sdk.spring.StartedBeans.ParameterWithoutItsReference;
import io.highway.sdk.spring.StartedBeans.PlainReferences;
import io.highway.sdk.spring.StartedBeans.ReferenceToReportsInShanghai;
import io.highway.sdk.spring.StartedBeans.SetterWithoutDubboReference;
import io.highway.sdk.spring.StartedBeans.SeveralIslands;
import io.highway.sdk.spring.StartedBeans.StaticReference;
import io.highway.sdk.spring.StartedBeans.TwoIslandsAtTheReference;
import io.highway.sdk.spring.StartedBeans.UncheckedReference;
import io.highway.sdk.spring.StartedBeans.UnknownIslandAtOneReference;
import io.highway.sdk.spring.StartedBeans.UnknownIslandAtTheOtherReference;
import io.highway.sdk.spring.StartedBeans.UnknownIslandAtTheReference;
import io.highway.sdk.spring.StartedBeans.UnknownParameterAtOneReference;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A configuration error fails start-up with the offending key, its place and the fix; each in a separate JVM. */
@Tag("network")
class FailureAnalysisTest {

    private static final int AT_MOST_SECONDS = 60;
    private static final int AT_ONCE = 2;

    private static final List<String> OPTIONAL_JARS = List.of(
            "spring-boot-actuator", "spring-web", "micrometer-", "context-propagation-", "reactor-", "jackson-");
    private static final String BEANS = "io.highway.sdk.spring.StartedBeans$";
    private static final String SMS = BEANS + "Sms";
    private static final String ORDERS = "highway.island=zhejiang highway.gateways.dubbo=gateway.zhejiang.test:1"
            + " highway.islands.shanghai.tunnel=dubbo highway.islands.beijing.tunnel=dubbo";
    private static final String NO_KEY = "spring.application.name=orders";
    private static final String WITHOUT_DUBBO = "spring.autoconfigure.exclude="
            + Stream.of(
                            "DubboAutoConfiguration",
                            "DubboListenerAutoConfiguration",
                            "DubboRelaxedBindingAutoConfiguration",
                            "DubboRelaxedBinding2AutoConfiguration")
                    .map("org.apache.dubbo.spring.boot.autoconfigure."::concat)
                    .collect(Collectors.joining(","));

    /** A configuration error and its report: origin, problem, fix. */
    enum Mistake {
        NO_ISLAND(
                Nothing.class,
                "highway.gateways.dubbo=gateway.zhejiang.test:1",
                "highway.island",
                "Missing, though other highway.* keys are set.",
                "Write the id of the island this process runs in, such as highway.island=zhejiang, or"
                        + " highway.enabled=false."),
        UNKNOWN_TUNNEL(
                Nothing.class,
                ORDERS + " highway.islands.shanghai.tunnel=dubo",
                "highway.islands.shanghai.tunnel (commandLineArgs)",
                "\"dubo\" is not allowed; allowed: auto, dubbo, http, triple, or a list",
                "Did you mean \"dubbo\"? Write one of them."),
        BAD_ADDRESS(
                Nothing.class,
                ORDERS + " highway.gateways.triple=gateway",
                "highway.gateways.triple",
                "\"gateway\" is not allowed; allowed: host:port, such as gateway.zhejiang.test:20880.",
                "Write the gateway's host, a colon and its port (1 to 65535)."),
        UNKNOWN_KEY(
                Nothing.class,
                ORDERS + " highway.islands.shanghai.tunel=auto",
                "highway.islands.shanghai.tunel",
                "There is no such key.",
                "Did you mean \"tunnel\"?"),
        UNKNOWN_ISLAND_OF_A_SERVICE(
                Nothing.class,
                ORDERS + " highway.services." + SMS + ".island=shangai",
                "highway.services." + SMS + ".island",
                "\"shangai\" is not allowed; allowed: the configured islands [beijing, shanghai].",
                "Did you mean \"shanghai\"? Write highway.islands.shangai.tunnel=auto or correct the id."),
        UNKNOWN_ISLAND_AT_A_REFERENCE(
                UnknownIslandAtTheReference.class,
                ORDERS,
                "reference to " + SMS,
                "It asks for",
                "known islands: beijing, shanghai; did you mean \"shanghai\"?"),
        UNKNOWN_ISLAND_AT_ONE_OF_TWO_REFERENCES(
                UnknownIslandAtOneReference.class,
                ORDERS,
                "reference to " + SMS,
                "It asks for",
                "known islands: beijing, shanghai; did you mean \"shanghai\"?"),
        UNKNOWN_ISLAND_AT_THE_OTHER_OF_TWO_REFERENCES(
                UnknownIslandAtTheOtherReference.class,
                ORDERS,
                "reference to " + SMS,
                "It asks for",
                "known islands: beijing, shanghai; did you mean \"shanghai\"?"),
        NO_ISLAND_AT_A_REFERENCE(
                NoIslandAtTheReference.class,
                ORDERS,
                "@Island on " + BEANS + "NoIslandAtTheReference.sms",
                "Island: \"Shanghai\" is not an island id",
                "Write an island's id, such as @Island(\"shanghai\")."),
        TWO_ISLANDS_AT_A_REFERENCE(
                TwoIslandsAtTheReference.class,
                ORDERS,
                "@Island on " + BEANS + "TwoIslandsAtTheReference.sms",
                "It names \"shanghai\", and the reference's parameter highway-island \"beijing\".",
                "Write one of them."),
        STATIC_REFERENCE(
                StaticReference.class,
                ORDERS,
                "@Island on " + BEANS + "StaticReference.sms",
                "Dubbo ignores it, because the field is static.",
                "Write both annotations on an instance field or setter of a Spring bean."),
        AUTOWIRED_FIELD(
                AutowiredSms.class,
                ORDERS,
                "@Island on " + BEANS + "AutowiredSms.sms",
                "No @Bean method that makes a reference has @Island(\"shanghai\"), and Spring chooses among these.",
                "Write @DubboReference next to it at a field or setter,"),
        AUTOWIRED_SETTER(
                AutowiredSetter.class,
                ORDERS,
                "@Island on " + BEANS + "AutowiredSetter.setSms",
                "No @Bean method that makes a reference has @Island(\"shanghai\"), and Spring chooses among these.",
                "Write @DubboReference next to it at a field or setter,"),
        PARAMETER_WITHOUT_ITS_REFERENCE(
                ParameterWithoutItsReference.class,
                ORDERS,
                "@Island on " + BEANS + "OrdersByParameter",
                "No @Bean method that makes a reference has @Island(\"shanghai\"), and Spring chooses among these.",
                "or a @Bean method with @DubboReference and the same @Island, letter for letter"),
        SETTER_WITHOUT_DUBBO_REFERENCE(
                SetterWithoutDubboReference.class,
                ORDERS,
                "@Island on " + BEANS + "SetterWithoutDubboReference.setSms",
                "Dubbo ignores it, because the method has no @DubboReference.",
                "Write @DubboReference next to it, or @Island on the service's interface."),
        PARAMETER_OF_A_METHOD(
                ParameterOfAMethod.class,
                ORDERS,
                "@Island on " + BEANS + "ParameterOfAMethod.use(Sms)",
                "Spring injects nothing there.",
                "Write it on a parameter of a constructor that Spring calls, or of a method with @Bean or @Autowired."),
        PARAMETER_OF_A_CONSTRUCTOR_THAT_SPRING_DOES_NOT_CALL(
                NewOrders.class,
                ORDERS,
                "@Island on " + BEANS + "OrdersByParameter(Sms)",
                "Spring injects nothing there.",
                "Write it on a parameter of a constructor that Spring calls, or of a method with @Bean or @Autowired."),
        PARAMETER_OF_THE_SUPERCLASS(
                ParameterOfTheSuperclass.class,
                ORDERS,
                "@Island on " + BEANS + "SenderOfOrders(Sms)",
                "Spring injects nothing there.",
                "Write it on a parameter of a constructor that Spring calls, or of a method with @Bean or @Autowired."),
        PARAMETER_OF_ANOTHER_CONSTRUCTOR(
                ParameterOfAnotherConstructor.class,
                ORDERS,
                "@Island on " + BEANS + "ParameterOfAnotherConstructor(Sms)",
                "Spring injects nothing there.",
                "Write it on a parameter of a constructor that Spring calls, or of a method with @Bean or @Autowired."),
        PARAMETER_WITH_AN_ANNOTATION_OF_ITS_OWN(
                ParameterWithAnAnnotationOfItsOwn.class,
                ORDERS,
                "@Island on " + BEANS + "ParameterWithAnAnnotationOfItsOwn.used(Sms)",
                "Spring does not merge the attributes of an annotation that carries it.",
                "Write @Island itself on the parameter."),
        FINAL_FIELD(
                FinalField.class,
                ORDERS,
                "@Island on " + BEANS + "FinalField.sms",
                "Dubbo ignores it, because the field has no @DubboReference.",
                "Write @DubboReference next to it, or @Island on the service's interface."),
        SERVICE_CLASS(
                AnnotatedService.class,
                ORDERS,
                "@Island on " + BEANS + "ShanghaiSms",
                "It is read from service interfaces, and this is a class.",
                "Write it on the interface of the service, or on a reference to it."),
        NO_KEY_AND_AN_ISLAND_AT_A_REFERENCE(
                GoodReferences.class,
                NO_KEY,
                "@Island on " + BEANS + "GoodReferences.inShanghai",
                "It asks for island \"shanghai\", but no highway.* key is set in Spring's environment or in"
                        + " dubbo.properties.",
                "(is a profile missing?), or highway.enabled=false to let home serve such calls."),
        NO_KEY_AND_AN_ISLAND_AT_AN_INTERFACE(
                ReferenceToReportsInShanghai.class,
                NO_KEY,
                "reference to " + BEANS + "ReportsInShanghai",
                "It asks for island \"shanghai\" (from interface), but no highway.* key is set, so no island is known.",
                "(is a profile missing?), or highway.enabled=false to let home serve such calls."),
        UNKNOWN_PARAMETER_AT_A_REFERENCE(
                UnknownParameterAtOneReference.class,
                ORDERS,
                "reference parameter highway-iland of " + SMS,
                "There is no such parameter.",
                "Did you mean \"highway-island\"?"),
        NO_KEY_AND_AN_UNKNOWN_PARAMETER(
                UnknownParameterAtOneReference.class,
                NO_KEY,
                "reference parameter highway-iland of " + SMS,
                "There is no such parameter.",
                "Did you mean \"highway-island\"?"),
        NO_DUBBO(
                Nothing.class,
                ORDERS + " " + WITHOUT_DUBBO,
                "@Island",
                "Dubbo's reader of @DubboReference",
                "Add dubbo-spring-boot-starter or @EnableDubbo, or write highway.enabled=false.");

        private final Class<?> beans;
        private final List<String> properties;
        private final String where;
        private final String problem;
        private final String action;

        Mistake(Class<?> beans, String properties, String where, String problem, String action) {
            this.beans = beans;
            this.properties = List.of(properties.split(" "));
            this.where = where;
            this.problem = problem;
            this.action = action;
        }
    }

    /** The SDK without what reads {@code @Island} on a reference: home would answer. */
    enum Unread {
        FILTER_INSTEAD_OF_THE_STARTER(ORDERS, false),
        FILTER_WITHOUT_ANY_KEY(NO_KEY, false),
        KEYS_AS_SYSTEM_PROPERTIES(NO_KEY, false, ORDERS.split(" ")),
        EXCLUDED_AUTO_CONFIGURATION(
                ORDERS + " spring.autoconfigure.exclude=" + HighwayAutoConfiguration.class.getName(), true);

        private final List<String> properties;
        private final boolean withStarter;
        private final List<String> systemProperties;

        Unread(String properties, boolean withStarter, String... systemProperties) {
            this.properties = List.of(properties.split(" "));
            this.withStarter = withStarter;
            this.systemProperties =
                    Stream.of(systemProperties).map("-D"::concat).toList();
        }

        private Ended start(String name, Class<?> beans) throws IOException, InterruptedException {
            String all = System.getProperty("java.class.path");
            return FailureAnalysisTest.start(
                    name, withStarter ? all : withoutStarter(), systemProperties, beans, properties);
        }
    }

    /** How a JVM ended, and what it printed. */
    private record Ended(int status, String output) {}

    @TempDir
    private static Path directory;

    private static final ExecutorService starting = Executors.newFixedThreadPool(AT_ONCE);
    private static final Map<Mistake, Future<Ended>> mistakes = new EnumMap<>(Mistake.class);
    private static final Map<Unread, Future<Ended>> unreadIslands = new EnumMap<>(Unread.class);
    private static Future<Ended> withoutIslands;
    private static Future<Ended> unreadAndOff;
    private static Future<Ended> good;
    private static Future<Ended> goodAlone;
    private static Future<Ended> inAFile;
    private static Future<Ended> octal;
    private static Future<Ended> switchedOff;

    @BeforeAll
    static void startAll() {
        good = starting.submit(() -> start("good", GoodReferences.class, List.of(ORDERS.split(" "))));
        goodAlone = starting.submit(() -> start(
                "good-alone", withoutOptionalJars(), List.of(), GoodReferences.class, List.of(ORDERS.split(" "))));
        octal = starting.submit(() -> {
            Path file = Files.writeString(
                    directory.resolve("octal.yml"),
                    "highway:\n  island: zhejiang\n  islands:\n    beijing:\n      keys: [110000, 010]\n");
            return start("octal", Nothing.class, List.of("spring.config.location=" + file.toUri()));
        });
        for (Unread unread : Unread.values()) {
            unreadIslands.put(unread, starting.submit(() -> unread.start(unread.name(), UncheckedReference.class)));
        }
        withoutIslands = starting.submit(() -> Unread.KEYS_AS_SYSTEM_PROPERTIES.start("plain", PlainReferences.class));
        unreadAndOff = starting.submit(() -> start(
                "unread-and-off",
                withoutStarter(),
                List.of("-Dhighway.enabled=false"),
                UncheckedReference.class,
                List.of(NO_KEY)));
        switchedOff = starting.submit(() ->
                start("switched-off", SeveralIslands.class, List.of((ORDERS + " highway.enabled=false").split(" "))));
        inAFile = starting.submit(() -> {
            Path file = Files.writeString(
                    directory.resolve("application.yml"), "highway:\n  island: zhejiang\n  max-hops: many\n");
            return start("in-a-file", Nothing.class, List.of("spring.config.location=" + file.toUri()));
        });
        for (Mistake mistake : Mistake.values()) {
            mistakes.put(mistake, starting.submit(() -> start(mistake.name(), mistake.beans, mistake.properties)));
        }
    }

    private static String withoutStarter() {
        String starter = Path.of(HighwayAutoConfiguration.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .toString();
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).toString().equals(starter))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String withoutOptionalJars() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> OPTIONAL_JARS.stream()
                        .noneMatch(Path.of(entry).getFileName().toString()::startsWith))
                .collect(Collectors.joining(File.pathSeparator));
    }

    @AfterAll
    static void stop() {
        starting.shutdownNow();
    }

    private static Ended start(String name, Class<?> beans, List<String> properties)
            throws IOException, InterruptedException {
        return start(name, System.getProperty("java.class.path"), List.of(), beans, properties);
    }

    private static Ended start(
            String name, String classPath, List<String> systemProperties, Class<?> beans, List<String> properties)
            throws IOException, InterruptedException {
        File output = directory.resolve(name + ".log").toFile();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"));
        // Dubbo's shutdown hook waits this long for a context that was never created; 10 seconds by default.
        command.add("-Ddubbo.service.shutdown.wait=100");
        command.addAll(systemProperties);
        command.addAll(List.of("-cp", classPath, StartedApplication.class.getName(), beans.getName()));
        Stream.concat(
                        Stream.of(
                                "dubbo.application.name=orders",
                                "dubbo.application.qos-enable=false",
                                "dubbo.registry.address=N/A",
                                "dubbo.protocol.port=-1",
                                "spring.main.web-application-type=none"),
                        lastOfEach(properties))
                .map("--"::concat)
                .forEach(command::add);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        try {
            boolean ended = process.waitFor(AT_MOST_SECONDS, TimeUnit.SECONDS);
            String printed = Files.readString(output.toPath());
            assertThat(ended)
                    .as("ends by itself within %s s; it printed%n%s", AT_MOST_SECONDS, printed)
                    .isTrue();
            return new Ended(process.exitValue(), printed);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Spring joins an argument that is written twice. */
    private static Stream<String> lastOfEach(List<String> properties) {
        return properties.stream()
                .collect(Collectors.toMap(
                        property -> property.substring(0, property.indexOf('=')), property -> property, (a, b) -> b))
                .values()
                .stream();
    }

    private static void assertFailed(Ended ended, String where, String problem, String action) {
        assertThat(ended.status).as(ended.output).isEqualTo(1);
        List<String> lines = Arrays.asList(ended.output.split("\\R"));
        assertThat(lines).contains("APPLICATION FAILED TO START", "Highway cannot start:");
        String description =
                ended.output.substring(ended.output.indexOf("Description:"), ended.output.indexOf("Action:"));
        assertThat(description).contains("\n    " + where).contains("\n" + problem);
        assertThat(ended.output.substring(ended.output.indexOf("Action:"))).contains(action);
        assertThat(ended.output).doesNotContain(StartedApplication.STARTED);
    }

    @ParameterizedTest
    @EnumSource
    void aMistakeEndsTheStartUp(Mistake mistake) throws Exception {
        Ended ended = mistakes.get(mistake).get();

        assertFailed(ended, mistake.where, mistake.problem, mistake.action);
    }

    @ParameterizedTest
    @EnumSource
    void anIslandThatNothingReadsEndsTheStartUp(Unread unread) throws Exception {
        Ended ended = unreadIslands.get(unread).get();

        assertThat(ended.status).as(ended.output).isEqualTo(1);
        assertThat(ended.output)
                .contains("@Island on " + BEANS + "UncheckedReference.inShanghai: nothing reads it")
                .contains("highway-sdk-spring-starter")
                .doesNotContain(StartedApplication.STARTED);
    }

    @Test
    void anApplicationWithoutIslandsAtItsReferencesStarts_withoutTheStarter() throws Exception {
        assertStarted(withoutIslands.get());
    }

    @Test
    void oneWarningListsIslandsThatNothingReads_whenItIsSwitchedOff() throws Exception {
        assertStarted(unreadAndOff.get());
        assertThat(unreadAndOff.get().output)
                .contains("home serves calls that ask for an island: @Island(\"shanghai\") on " + BEANS
                        + "UncheckedReference.inShanghai")
                .contains("@Island(\"shanghai\") on " + BEANS + "OrdersByParameter(Sms)");
    }

    @Test
    void aMistakeInAFileIsFoundByItsLine() throws Exception {
        assertFailed(
                inAFile.get(),
                "highway.max-hops (",
                "\"many\" is not allowed; allowed: a whole number from 1 to 100.",
                "Write a value in that range.");
        assertThat(inAFile.get().output).contains("application.yml] - 3:13)");
    }

    @Test
    void anAreaCodeThatYamlReadsAsOctalIsFound() throws Exception {
        assertFailed(
                octal.get(),
                "highway.islands.beijing.keys",
                "010 is an octal number in YAML and means 8.",
                "Write it in quotes: \"010\"");
        assertThat(octal.get().output).contains("octal.yml] - 5:22)");
    }

    @Test
    void withoutAMistakeTheSameApplicationStarts_andEnds() throws Exception {
        assertStarted(good.get());
    }

    @Test
    void theSameApplicationStarts_withoutActuatorMicrometerAndContextPropagation() throws Exception {
        assertStarted(goodAlone.get());
    }

    @Test
    void oneWarningListsWhatIsIgnored_whenItIsSwitchedOff() throws Exception {
        Ended ended = switchedOff.get();

        assertStarted(ended);
        assertThat(ended.output.lines().filter(line -> line.contains("highway: off (highway.enabled=false), so home")))
                .singleElement()
                .asString()
                .contains("@Island(\"shanghai\") on " + BEANS + "SeveralIslands.inShanghai")
                .contains("@Island(\"shanghai\") on " + BEANS + "OrdersByParameter(Sms)")
                .contains("reference to " + BEANS + "ReportsInShanghai")
                .contains("island \"shanghai\" (from interface)");
    }

    private static void assertStarted(Ended ended) {
        assertThat(ended.output).contains(StartedApplication.STARTED).doesNotContain("FAILED TO START");
        assertThat(ended.status).isZero();
    }
}
