// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** What an attacker can do who reaches a provider's port, or has recorded calls. */
@NullMarked
package io.highway.tools.security.attacker;

import org.jspecify.annotations.NullMarked;
