// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Spring Cloud Gateway, and what it needs beside its configuration to carry Triple. */
@NullMarked
package io.highway.tools.gateways.springcloud;

import org.jspecify.annotations.NullMarked;
