// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The wiring of one application: its configuration, its policy and its connections. */
@NullMarked
package io.highway.sdk.dubbo.internal.application;

import org.jspecify.annotations.NullMarked;
