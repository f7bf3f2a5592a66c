// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The services of guangdong's second application. */
@NullMarked
package io.highway.samples.quickstart.service.billing;

import org.jspecify.annotations.NullMarked;
