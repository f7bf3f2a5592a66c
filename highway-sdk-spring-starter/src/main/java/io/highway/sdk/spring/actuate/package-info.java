// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Actuator support: endpoint, health, info and meters. */
@NullMarked
package io.highway.sdk.spring.actuate;

import org.jspecify.annotations.NullMarked;
