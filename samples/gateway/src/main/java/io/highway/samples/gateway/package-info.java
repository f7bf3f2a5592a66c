// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

@NullMarked
package io.highway.samples.gateway;

import org.jspecify.annotations.NullMarked;
