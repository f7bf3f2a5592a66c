// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The API of applications that do not depend on Dubbo's types: islands, routes, scopes.
 *
 * <p>Here and in the other API packages, an accessor whose value may be missing returns null and is marked
 * {@code @Nullable}, so Kotlin sees a nullable type. A static method that looks something up, such as
 * {@link io.highway.sdk.Highway#caller}, returns an {@code Optional}. Lists and maps may be empty and are never null.
 */
@NullMarked
package io.highway.sdk;

import org.jspecify.annotations.NullMarked;
