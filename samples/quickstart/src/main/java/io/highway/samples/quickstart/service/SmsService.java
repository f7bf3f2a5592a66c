// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart.service;

import io.highway.sdk.Island;
import io.highway.sdk.IslandKey;
import java.util.concurrent.CompletableFuture;

/** Every island deploys it. */
public interface SmsService {

    String send(String text);

    CompletableFuture<String> sendLater(String text);

    /** The province determines the island: its id or one of its keys. */
    String sendTo(@IslandKey String province, String text);

    @Island("beijing")
    String sendToCapital(String text);

    /** Called oneway: no caller waits for an answer. */
    void note(String text);

    /** The oldest note that was not fetched yet; waits a moment for it. */
    String nextNote();

    /** Must not cross into shanghai now, see {@code highway.islands.shanghai.deny}. */
    String purge(String text);
}
