// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import io.highway.tools.security.attacker.Signer;
import io.highway.tools.security.star.Bankside;
import io.netty.channel.ChannelException;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Small calls of others, ten over a connection, one every 20 ms. Over HTTP those of home are signed, too.
 *
 * @param patience calls that take longer than so many seconds do not count as served
 */
record SmallCalls(Cell cell, int port, EventLoopGroup loop, int patience) {

    private static final int ON_A_CONNECTION = 10;
    static final int PACE_MILLIS = 20;
    private static final int WAIT_SECONDS = 10;
    private static final String HOME = "127.0.0.1";
    private static final List<String> TEXT = List.of("java.lang.String");
    private static final Signer SIGNER = new Signer(Provider.KEY, Bankside.secret(Provider.KEY));

    /** How many of so many calls are served before ten seconds pass without an answer: of home, or signed ones of a gateway. */
    int served(int calls, boolean signed) throws InterruptedException {
        List<RawPeer> peers = new ArrayList<>();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            if (i % ON_A_CONNECTION == 0) {
                try {
                    peers.add(RawPeer.connect(cell, loop, signed ? Provider.GATEWAY : HOME, port, true));
                } catch (ChannelException e) {
                    break; // not even a connection
                } catch (Exception e) { // Netty throws checked ones as well
                    break;
                }
            }
            Map<String, String> headers = signed || cell.isHttp() ? signed() : Map.of();
            answers.add(peers.get(peers.size() - 1)
                    .send(Body.ping().request(cell, headers, Map.of(), null))
                    .completeOnTimeout(Answers.NONE, patience, TimeUnit.SECONDS));
            TimeUnit.MILLISECONDS.sleep(PACE_MILLIS);
        }
        Answers ended = Answers.of(answers, WAIT_SECONDS);
        peers.forEach(RawPeer::close);
        return ended.served();
    }

    private Map<String, String> signed() {
        return SIGNER.headers("shanghai", "zhejiang/orders/1", Body.SERVICE, Body.PING, TEXT, 0);
    }
}
