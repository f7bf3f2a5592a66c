// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the argument that names the island of a call.
 *
 * <p>The value is an island's id or one of the business keys that {@code highway.islands.<id>.keys} maps to it. A
 * {@code null} argument or property, and a value that maps to no island, is refused before anything is sent. Sub-interfaces
 * inherit it; one argument of a method can have it.
 *
 * <pre>{@code
 * Report submit(@IslandKey String province, Report report);
 * Order ship(@IslandKey("address.code") Order order);
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface IslandKey {

    /**
     * {@return the path of the property that holds the key, dot-separated; empty for the argument itself} Each step
     * reads a {@code Map} entry, a record component, a {@code getX()}/{@code isX()} getter or a public field, in this
     * order.
     */
    String value() default "";
}
