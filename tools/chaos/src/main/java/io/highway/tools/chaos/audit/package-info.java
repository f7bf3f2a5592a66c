// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** What the audit trail keeps of calls that end badly, or never. */
@NullMarked
package io.highway.tools.chaos.audit;

import org.jspecify.annotations.NullMarked;
