// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.highway.sdk.Highway;
import java.net.URL;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The packages of this module: no cycles, and a public vocabulary that depends on none of them. */
@Tag("any-dubbo")
class ArchitectureTest {

    private static final String ROOT = ArchitectureTest.class.getPackageName();

    private static final JavaClasses CLASSES = new ClassFileImporter().importUrl(moduleOf(HighwayException.class));

    private static final JavaClasses API_AND_SDK =
            new ClassFileImporter().importUrls(List.of(moduleOf(Highway.class), moduleOf(HighwayException.class)));

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

    /** Types that users see can grow: a record's constructor and components cannot. */
    @Test
    void thePublicApi_hasNoRecords() {
        noClasses().that(ARE_API).should().beRecords().check(API_AND_SDK);
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

    @Test
    void onlyOutcomeAndTunnel_createTheException() {
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + ".internal.outcome", ROOT + ".internal.tunnel")
                .and()
                .doNotBelongToAnyOf(InternalHighwayException.class)
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(InternalHighwayException.class)
                .check(CLASSES);
    }

    @Test
    void onlyTheEntryPointsIntoDubbo_knowTheStagesOfACall() {
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + ".internal.cluster", ROOT + ".internal.tunnel")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ROOT + ".internal.tunnel", ROOT + ".internal.cluster")
                .check(CLASSES);
    }
}
