// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** A certificate authority for samples and tests, so that the repository contains no key. */
@NullMarked
package io.highway.testsupport.certificates;

import org.jspecify.annotations.NullMarked;
