// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Highway for Spring Boot: add the jar, set {@code highway.island} and a gateway, write {@code @Island}. */
@NullMarked
package io.highway.sdk.spring;

import org.jspecify.annotations.NullMarked;
