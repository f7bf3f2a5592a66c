// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The main class of the jar, for pipelines that check a policy before it is published. */
@NullMarked
package io.highway.sdk.dubbo.internal.check;

import org.jspecify.annotations.NullMarked;
