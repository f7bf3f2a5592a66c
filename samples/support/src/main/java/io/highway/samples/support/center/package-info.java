// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Config centres for samples, each a real server in a process of its own. Not needed in production. */
@NullMarked
package io.highway.samples.support.center;

import org.jspecify.annotations.NullMarked;
