// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Whether a call was sent: what connections have recorded, what peers state, the class of a failure, and the result. */
@NullMarked
package io.highway.sdk.dubbo.internal.evidence;

import org.jspecify.annotations.NullMarked;
