// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.service;

import java.util.concurrent.CompletableFuture;

/** Accepts orders, each with a unique id. Every answer is {@code <island> <id>} and the note. */
public interface OrderService {

    /** Idempotent. */
    String query(int id, String note) throws DeclinedException;

    /** Idempotent. */
    CompletableFuture<String> queryLater(int id, String note);

    /** Must run at most once per id. */
    String submit(int id, String note) throws DeclinedException;

    /** Must run at most once per id. */
    CompletableFuture<String> submitLater(int id, String note);

    /** The island, without an entry in its ledger. */
    String island();
}
