// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The services that are attacked. */
@NullMarked
package io.highway.tools.security.service;

import org.jspecify.annotations.NullMarked;
