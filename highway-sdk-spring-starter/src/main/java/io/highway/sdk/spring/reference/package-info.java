// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Support for {@code @Island} on references: from the injection point to the reference's parameters. */
@NullMarked
package io.highway.sdk.spring.reference;

import org.jspecify.annotations.NullMarked;
