// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The services, as a team would write them. */
@NullMarked
package io.highway.samples.springboot.service;

import org.jspecify.annotations.NullMarked;
