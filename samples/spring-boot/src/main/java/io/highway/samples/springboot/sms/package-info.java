// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The SMS service; its texts are in every island, the sending only where there is an operator. */
@NullMarked
package io.highway.samples.springboot.sms;

import org.jspecify.annotations.NullMarked;
