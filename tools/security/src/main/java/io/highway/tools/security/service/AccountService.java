// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.service;

import java.util.concurrent.CompletableFuture;

/** A service of a bank. Names that an attacker exchanges in a recorded call have the same length. */
public interface AccountService {

    /** Reads; many callers may. */
    String balance(String account);

    /** As {@link #balance}. */
    CompletableFuture<String> balanceLater(String account);

    /** Transfers; few callers may. */
    String payment(String account);
}
