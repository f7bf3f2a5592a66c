// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.service;

/** Another service of the bank, as {@link AccountService}. */
public interface ReserveService extends AccountService {}
