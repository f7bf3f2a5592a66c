// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The keys of Spring's environment, and whether they switch the SDK on. */
@NullMarked
package io.highway.sdk.spring.internal;

import org.jspecify.annotations.NullMarked;
