// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The providers of the islands: plain Dubbo, in any version, with or without the SDK. */
@NullMarked
package io.highway.tools.conformance.provider;

import org.jspecify.annotations.NullMarked;
