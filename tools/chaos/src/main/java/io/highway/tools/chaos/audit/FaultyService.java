// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.audit;

import java.util.concurrent.CompletableFuture;

/** Each call is in the ledger before it ends, if it ends. */
public interface FaultyService {

    /** Answers. */
    CompletableFuture<String> answer(Integer call);

    /** Runs, and then a filter of the provider throws an {@code Error}. */
    CompletableFuture<String> error(Integer call);

    /** Its future never completes. */
    CompletableFuture<String> hang(Integer call);
}
