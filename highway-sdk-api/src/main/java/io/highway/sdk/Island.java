// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import io.highway.sdk.internal.Texts;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the island that serves a call: on a service interface, on one of its methods, or on the reference to it.
 *
 * <p>A method's annotation wins over the reference's, and the reference's over the interface's. All of them yield to an
 * attachment, an open {@link HighwayScope} and an {@link IslandKey} argument.
 *
 * <p>Sub-interfaces inherit it, on the interface and on each method; the annotation of the interface nearest to the service
 * wins. Two of unrelated interfaces that contradict each other fail the start-up.
 *
 * <p>With Spring Boot, on a parameter of a constructor or of a method with {@code @Bean} or {@code @Autowired}, it chooses
 * the reference of the {@code @Bean} method with the same annotation.
 *
 * <pre>{@code
 * @Island("shanghai")
 * @DubboReference
 * SmsService sms;
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.FIELD, ElementType.PARAMETER})
public @interface Island {

    /** {@return the island's id: a lower-case DNS label, see {@link IslandId}} */
    String value();

    /** {@return whether home providers come first} */
    When when() default When.ALWAYS;

    /** When a call leaves home. */
    enum When {
        /** Every call goes to the island. */
        ALWAYS,
        /** Calls stay home while home has a provider of the service; the island serves them only if it has none. */
        HOME_ABSENT;

        /** The word used in keys and reference parameters, such as {@code home-absent}. */
        @Override
        public String toString() {
            return Texts.word(this);
        }
    }
}
