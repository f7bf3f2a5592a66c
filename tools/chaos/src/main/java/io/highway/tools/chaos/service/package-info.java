// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** What the providers of both islands offer. */
@NullMarked
package io.highway.tools.chaos.service;

import org.jspecify.annotations.NullMarked;
