// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** What each island deploys. */
@NullMarked
package io.highway.samples.quickstart.provider;

import org.jspecify.annotations.NullMarked;
