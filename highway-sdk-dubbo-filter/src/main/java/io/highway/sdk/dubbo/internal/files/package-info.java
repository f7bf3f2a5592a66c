// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Reading of local files: regular ones, up to a size, in time. */
@NullMarked
package io.highway.sdk.dubbo.internal.files;

import org.jspecify.annotations.NullMarked;
