// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.time.Duration;

/**
 * Shares the signatures that were used among the processes of an island, so that a call replayed to another process is
 * refused; without it, each process remembers its own. Set by {@link HighwaySetup#replayStore}, or a Spring bean.
 *
 * <p>Asked once for each call whose signature is valid and new to this process, on a thread of the SDK; the thread that
 * serves the call waits. An exception, or no answer within a second, refuses the call as {@code busy}: a store that
 * fails lets no call pass unchecked.
 */
@FunctionalInterface
public interface ReplayStore {

    /**
     * Records a signature if it is unknown, atomically for all processes, such as Redis' {@code SET key 1 NX PX millis}.
     * Called by up to 64 threads at once; a client with fewer connections makes the others wait.
     *
     * @param id identifies the signature: the island, the key id and the nonce, at most 160 ASCII characters
     * @param keep how long to remember it; a store may forget it afterwards
     * @return whether it was unknown; false refuses the call as {@code replayed}
     * @throws Exception if the store cannot answer
     */
    boolean addIfAbsent(String id, Duration keep) throws Exception;
}
