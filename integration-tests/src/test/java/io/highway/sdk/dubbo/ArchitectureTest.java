// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.Architectures;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.internal.call.CallAttributes;
import io.highway.sdk.dubbo.internal.http.RequestPath;
import io.netty.channel.Channel;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.Invocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The packages of the Dubbo module and of the HTTP tunnel: no cycles, and a public vocabulary that depends on none of them. */
@Tag("any-dubbo")
class ArchitectureTest {

    private static final String ROOT = ArchitectureTest.class.getPackageName();

    private static final String INTERNAL = ROOT + ".internal";

    private static final JavaClasses CLASSES =
            new ClassFileImporter().importUrls(List.of(moduleOf(HighwayException.class), moduleOf(RequestPath.class)));

    private static final JavaClasses API_AND_SDK = new ClassFileImporter()
            .importUrls(
                    List.of(moduleOf(Highway.class), moduleOf(HighwayException.class), moduleOf(RequestPath.class)));

    /** Each package is a separate slice, so that a parent and its child form no cycle either. */
    private static final SliceAssignment PACKAGES = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
            return SliceIdentifier.of(javaClass.getPackageName());
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    };

    private static final String API = Highway.class.getPackageName();

    private static final DescribedPredicate<JavaClass> ARE_API = describe("are public API", ArchitectureTest::isApi);

    private static final DescribedPredicate<JavaMember> ARE_VISIBLE = describe(
            "are visible",
            member -> member.getModifiers().contains(JavaModifier.PUBLIC)
                    || member.getModifiers().contains(JavaModifier.PROTECTED)
                            && !member.getOwner().getModifiers().contains(JavaModifier.FINAL));

    private static final ArchCondition<JavaMember> MENTION_THE_API_ONLY = new ArchCondition<>("mention the API only") {
        @Override
        public void check(JavaMember member, ConditionEvents events) {
            member.getAllInvolvedRawTypes().stream()
                    .filter(ArchitectureTest::isInternal)
                    .forEach(type -> events.add(SimpleConditionEvent.violated(
                            member, member.getFullName() + " mentions " + type.getName())));
        }
    };

    private static final ArchCondition<JavaMethod> RETURN_WHAT_IS_MISSING_IN_ONE_WAY =
            new ArchCondition<>("return null from accessors and an Optional from look-ups") {
                @Override
                public void check(JavaMethod method, ConditionEvents events) {
                    boolean isLookUp = method.getModifiers().contains(JavaModifier.STATIC);
                    boolean isWrong = isLookUp
                            ? method.reflect().getAnnotatedReturnType().isAnnotationPresent(Nullable.class)
                            : method.getRawReturnType().isEquivalentTo(Optional.class);
                    if (isWrong) {
                        events.add(SimpleConditionEvent.violated(
                                method, method.getFullName() + " returns " + (isLookUp ? "null" : "an Optional")));
                    }
                }
            };

    private static final ArchCondition<JavaClass> EXTEND_THE_API_ONLY = new ArchCondition<>("extend the API only") {
        @Override
        public void check(JavaClass type, ConditionEvents events) {
            Stream.concat(type.getRawSuperclass().stream(), type.getRawInterfaces().stream())
                    .filter(ArchitectureTest::isInternal)
                    .forEach(other -> events.add(SimpleConditionEvent.violated(
                            type, type.getName() + " extends or implements " + other.getName())));
        }
    };

    private static URL moduleOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    private static boolean isApi(JavaClass type) {
        return (type.getPackageName().equals(API) || type.getPackageName().equals(ROOT))
                && type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(ArchitectureTest::isApi).orElse(true)
                && !type.getSimpleName().startsWith("Internal");
    }

    private static boolean isInternal(JavaClass type) {
        JavaClass base = type.getBaseComponentType();
        return base.getPackageName().startsWith(API) && !isApi(base);
    }

    @Test
    void packagesFormNoCycles() {
        slices().assignedFrom(PACKAGES).should().beFreeOfCycles().check(CLASSES);
    }

    /** Each type with those inside it. */
    private static final SliceAssignment TYPES = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
            return SliceIdentifier.of(javaClass.getName().replaceFirst("\\$.*", ""));
        }

        @Override
        public String getDescription() {
            return "types";
        }
    };

    @Test
    void typesFormNoCycles() {
        slices().assignedFrom(TYPES).should().beFreeOfCycles().check(API_AND_SDK);
    }

    /** The table of docs/maintain/how-a-call-travels.md, from top to bottom. */
    private static List<List<String>> layers() throws IOException {
        String page = Files.readString(Path.of("../docs/maintain/how-a-call-travels.md"));
        int start = page.indexOf("by layer.");
        String table = page.substring(start, page.indexOf("\n## ", start));
        return table.lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> Pattern.compile("`([\\w.]+)`")
                        .matcher(line.substring(0, line.indexOf(" | ")))
                        .results()
                        .map(name -> INTERNAL + "." + name.group(1))
                        .toList())
                .toList();
    }

    @Test
    void layeredArchitecture_isTheTableOfTheDocs() throws IOException {
        List<List<String>> layers = layers();
        Architectures.LayeredArchitecture architecture =
                Architectures.layeredArchitecture().consideringOnlyDependenciesInLayers();
        for (int row = 0; row < layers.size(); row++) {
            architecture =
                    architecture.layer("row " + row).definedBy(layers.get(row).toArray(String[]::new));
        }
        for (int row = 0; row < layers.size(); row++) {
            String[] above =
                    IntStream.range(0, row).mapToObj(one -> "row " + one).toArray(String[]::new);
            architecture = above.length == 0
                    ? architecture.whereLayer("row " + row).mayNotBeAccessedByAnyLayer()
                    : architecture.whereLayer("row " + row).mayOnlyBeAccessedByLayers(above);
        }

        architecture.check(CLASSES);
        assertThat(CLASSES.stream()
                        .map(JavaClass::getPackageName)
                        .filter(name -> !name.equals(ROOT))
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(
                        layers.stream().flatMap(List::stream).toList());
    }

    @Test
    void theRootPackage_dependsOnNoOtherPackage() {
        noClasses()
                .that()
                .resideInAPackage(ROOT)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + ".*..")
                .check(CLASSES);
    }

    /** Types that users see can grow: a record's constructor is the SDK's, which tests replace by factories and builders. */
    @Test
    void aRecordOfThePublicApi_hasNoConstructorBesidesItsOwn() {
        assertThat(API_AND_SDK.that(ARE_API))
                .filteredOn(JavaClass::isRecord)
                .isNotEmpty()
                .allMatch(type -> type.getConstructors().size() == 1);
    }

    @Test
    void thePublicApi_mentionsNoInternalType() {
        members()
                .that()
                .areDeclaredInClassesThat(ARE_API)
                .and(ARE_VISIBLE)
                .should(MENTION_THE_API_ONLY)
                .check(API_AND_SDK);
        classes().that(ARE_API).should(EXTEND_THE_API_ONLY).check(API_AND_SDK);
    }

    /** As the documentation of its packages says. */
    @Test
    void thePublicApi_returnsWhatIsMissingInOneWay() {
        methods()
                .that()
                .areDeclaredInClassesThat(ARE_API)
                .and(ARE_VISIBLE)
                .should(RETURN_WHAT_IS_MISSING_IN_ONE_WAY)
                .check(API_AND_SDK);
    }

    @Test
    void onlyEvidenceAndFailover_createTheException() {
        noClasses()
                .that()
                .resideOutsideOfPackages(INTERNAL + ".evidence", INTERNAL + ".caller.failover")
                .and()
                .doNotBelongToAnyOf(InternalHighwayException.class)
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(InternalHighwayException.class)
                .check(CLASSES);
    }

    /**
     * Another protocol is a constant and a package: everywhere else its properties decide. {@code ValueParser} has the
     * order of {@code auto}, the others read the protocol's name in a URL.
     */
    @Test
    void onlyConnectionsAskForTheProtocol() {
        noClasses()
                .that()
                .resideOutsideOfPackage(INTERNAL + ".network.connection")
                .and(describe("only have it", type -> !Set.of("TunnelKind", "ValueParser", "InboundCallAudit")
                        .contains(type.getSimpleName())))
                .should()
                .accessFieldWhere(describe(
                        "it is a protocol",
                        access -> access.getTargetOwner().isEquivalentTo(TunnelKind.class)
                                && access.getTarget().getRawType().isEquivalentTo(TunnelKind.class)))
                .check(CLASSES);
    }

    /** So that its table names all that a call carries. */
    @Test
    void onlyCallState_keepsThingsWithACall() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(CallAttributes.class)
                .should()
                .callMethodWhere(describe(
                        "it sets an attribute",
                        call -> call.getTargetOwner().isAssignableTo(Invocation.class)
                                && call.getName().equals("put")))
                .check(CLASSES);
    }

    @Test
    void onlyTheEntryPointsIntoDubbo_knowTheStagesOfACall() {
        noClasses()
                .that()
                .resideOutsideOfPackages(INTERNAL + ".caller.entry", INTERNAL + ".caller.failover")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(INTERNAL + ".caller.failover", INTERNAL + ".caller.entry")
                .check(CLASSES);
    }

    /** Each row of docs/maintain/dubbo-internals.md: what it relies on, the classes that do, tests. */
    private static List<List<String>> internals() throws IOException {
        return Files.readString(Path.of("../docs/maintain/dubbo-internals.md"))
                .lines()
                .filter(line -> line.startsWith("| ") && line.contains("Test"))
                .map(line -> List.of(line.substring(2).split(" \\| ")))
                .toList();
    }

    /** A library may change in any release what it does not document for its users. */
    private static boolean isInternalToALibrary(JavaClass type) {
        return !type.getPackageName().startsWith(API)
                        && List.of(type.getPackageName().split("\\.")).contains("internal")
                || type.isEquivalentTo(Channel.Unsafe.class);
    }

    /** Not its exceptions, which are for users. */
    private static boolean isMeantToBeUnextended(JavaClass type) {
        return type.getPackageName().startsWith("org.apache.dubbo.")
                && !type.isInterface()
                && !type.isAssignableTo(Throwable.class);
    }

    private static boolean isNamedBy(String cell, JavaClass type) {
        return Stream.of(type.getName().replaceFirst(".*\\.", "").split("\\$"))
                .anyMatch(name ->
                        Pattern.compile("\\b" + name + "\\b").matcher(cell).find());
    }

    @Test
    void whatIsInternalToALibrary_isUsedWhereARowSays() throws IOException {
        List<List<String>> rows = internals();
        Stream<String> uses = CLASSES.stream()
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(use -> isInternalToALibrary(use.getTargetClass().getBaseComponentType()))
                .filter(use -> rows.stream()
                        .noneMatch(row -> isNamedBy(row.get(0), use.getTargetClass())
                                && isNamedBy(row.get(1), use.getOriginClass())))
                .map(Dependency::getDescription);
        Stream<String> subclasses = CLASSES.stream()
                .filter(type -> type.getRawSuperclass()
                        .filter(ArchitectureTest::isMeantToBeUnextended)
                        .isPresent())
                .filter(type -> rows.stream().noneMatch(row -> isNamedBy(row.get(1), type)))
                .map(type -> type.getName() + " extends "
                        + type.getRawSuperclass().orElseThrow().getName());

        assertThat(Stream.concat(uses, subclasses))
                .as("without a row in docs/maintain/dubbo-internals.md")
                .isEmpty();
    }

    /** Each is a risk at an upgrade. Lower the numbers with the last use of one. */
    @Test
    void noMoreOfDubbosInternals_areReliedOn() throws IOException {
        Pattern imported = Pattern.compile(
                "(?m)^import (org\\.apache\\.dubbo\\.(?:remoting|rpc\\.protocol|rpc\\.cluster\\.support)\\.[\\w.]+);");
        Set<String> types = new TreeSet<>();
        for (String module : List.of("highway-sdk-dubbo-filter", "highway-sdk-http")) {
            for (Path file : SourceTree.files(Path.of("..", module, "src/main/java"))) {
                imported.matcher(Files.readString(file)).results().forEach(found -> types.add(found.group(1)));
            }
        }

        assertThat(types).hasSizeBetween(1, 63);
        assertThat(internals()).hasSizeLessThanOrEqualTo(90);
    }

    /** Each step of a transport of its own deletes what it replaces. */
    @Test
    void theClassesAroundDubbosClients_areGone() {
        assertThat(CLASSES.stream().map(JavaClass::getSimpleName))
                .doesNotContain(
                        "AnchorReference",
                        "AnswerMessages",
                        "BoundedInflation",
                        "BulkTransporter",
                        "CallChannel",
                        "CallRequests",
                        "CompressedRequests",
                        "CompressedStub",
                        "ConnectionFactory",
                        "ConnectionMarks",
                        "ConnectionUrls",
                        "DubboClients",
                        "ExceptionResult",
                        "FrameEvidence",
                        "Freshness",
                        "GatewayCodec",
                        "GatewayConnectionClient",
                        "GatewayConnectionManager",
                        "GatewayExchangeClient",
                        "GatewayExchanger",
                        "GatewayNettyClient",
                        "GatewayPipeline",
                        "GatewayTransports",
                        "HttpCall",
                        "HttpClients",
                        "HttpExchangeClient",
                        "HttpExchanger",
                        "MarkedMessage",
                        "PreserializedMethods",
                        "PreserializedRequest",
                        "ProtocolClients",
                        "SharedClient",
                        "SharedInvokers",
                        "SingleCompression",
                        "StreamEvidence",
                        "StreamQueue",
                        "TripleClients",
                        "UnansweredConnection",
                        "WaitingAttempts",
                        "WireInvoker",
                        "ZstdInflation");
    }
}
