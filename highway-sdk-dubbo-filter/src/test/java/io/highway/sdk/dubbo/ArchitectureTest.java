// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.junit.jupiter.api.Test;

/** The packages of this module: no cycles, and a public vocabulary that depends on none of them. */
class ArchitectureTest {

    private static final String ROOT = ArchitectureTest.class.getPackageName();

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(
                    HighwayException.class.getProtectionDomain().getCodeSource().getLocation());

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

    @Test
    void onlyOutcomeAndTunnel_createTheException() {
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + ".outcome", ROOT + ".tunnel")
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
                .resideOutsideOfPackages(ROOT + ".cluster", ROOT + ".tunnel")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ROOT + ".tunnel", ROOT + ".cluster")
                .check(CLASSES);
    }
}
