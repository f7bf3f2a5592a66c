// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Runs both sides on one machine, for the sample only: an application needs nothing of it. */
@NullMarked
package io.highway.samples.upload.run;

import org.jspecify.annotations.NullMarked;
