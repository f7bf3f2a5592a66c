// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** What shanghai's second application offers; gateways know it by this package. */
@NullMarked
package io.highway.tools.conformance.service.billing;

import org.jspecify.annotations.NullMarked;
