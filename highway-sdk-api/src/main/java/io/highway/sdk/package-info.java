// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The API of applications that do not depend on Dubbo's types: islands, routes, scopes. */
@NullMarked
package io.highway.sdk;

import org.jspecify.annotations.NullMarked;
