// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Tests of code that calls islands: a JUnit extension and a plain API, without gateways. */
@NullMarked
package io.highway.sdk.test;

import org.jspecify.annotations.NullMarked;
