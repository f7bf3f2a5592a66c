// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a JUnit 5 test class islands that it controls. Its methods may have parameters of type {@link Islands} and, without
 * Spring, of any service interface: a Dubbo reference of the application at home.
 *
 * <p>Islands are the same for all methods of a class; what they serve, their faults and their recorded calls are those of
 * one method. What they serve before the first method of a class or, without Spring, of a nested class, such as while an
 * application starts, they serve in each of its methods; so are faults, except {@link TestIsland#breakerOpen}. A call to an
 * island that is not declared fails the method, even if its exception was caught, and so does a scope that the method leaves
 * open.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@ExtendWith(HighwayTestExtension.class)
public @interface HighwayTest {

    /** {@return the island of the tested code; a Spring application has it in its configuration} */
    String home() default "home";

    /** {@return the other islands} */
    String[] islands();

    /**
     * Whether calls cross real connections, to real providers. Otherwise no socket is opened, arguments and results are copied
     * by the island's serialization, and time is {@link Islands#advance the test's}.
     *
     * @return whether connections are real
     */
    boolean real() default false;

    /**
     * Settings as {@code key=value}, such as {@code highway.islands.shanghai.fallback=home}, of the application at home; with
     * {@code shanghai:} before the key, of the providers in shanghai.
     *
     * @return the settings
     */
    String[] properties() default {};
}
