// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import io.highway.sdk.dubbo.internal.connection.channel.ConnectionUrls;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayClients;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.Statements;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.exchange.ExchangeClient;
import org.apache.dubbo.remoting.exchange.ExchangeHandler;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.remoting.exchange.support.header.HeaderExchangeHandler;
import org.apache.dubbo.remoting.exchange.support.header.HeaderExchanger;
import org.apache.dubbo.remoting.transport.DecodeHandler;
import org.jspecify.annotations.Nullable;

/**
 * Dubbo's own exchange, for gateway connections: a {@link GatewayExchangeClient} that {@link GatewayClients}
 * knows.
 */
public final class GatewayExchanger extends HeaderExchanger {

    /** The extension's name, as a URL's {@code exchanger} parameter. */
    public static final String NAME = "highway";

    /** How long a connection may be idle before the SDK sends a heartbeat, milliseconds. */
    public static final int HEARTBEAT = 2000;

    @Override
    public ExchangeClient connect(URL shared, ExchangeHandler handler) throws RemotingException {
        URL url = ConnectionUrls.toConnect(shared);
        Watched watched = new Watched(handler);
        GatewayClients connections = GatewayClients.of(url);
        URL counted = url.addParameter(Constants.CODEC_KEY, GatewayCodec.NAME);
        GatewayExchangeClient client =
                exchange(new GatewayNettyClient(counted, new DecodeHandler(watched)), connections);
        watched.client = client;
        connections.opened(url, client);
        return client;
    }

    /** Its constructor fails if the framework has ended meanwhile: then no other object knows the connection. */
    static GatewayExchangeClient exchange(GatewayNettyClient opened, GatewayClients connections) {
        try {
            return new GatewayExchangeClient(opened, connections);
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private static final class Watched extends HeaderExchangeHandler {

        private volatile @Nullable GatewayExchangeClient client;

        Watched(ExchangeHandler handler) {
            super(handler);
        }

        /** Reads the evidence in an answer before any other code does. */
        @Override
        public void received(Channel channel, Object message) throws RemotingException {
            GatewayExchangeClient known = client;
            if (known != null && message instanceof Response answer && !answer.isEvent()) {
                if (!known.awaits(answer.getId())) {
                    return; // too late, or another connection's: Dubbo would look among the calls of all
                }
                AttemptEvidence evidence = known.evidence(answer.getId());
                if (evidence != null && evidence.isRequest(answer.getId())) {
                    read(answer, evidence);
                }
            }
            super.received(channel, message);
        }

        /** Dubbo itself answers a request that it could not write; only those answers have a version. */
        private static void read(Response answer, AttemptEvidence evidence) {
            if (answer.getVersion() != null) {
                evidence.writeEnded();
            } else {
                Statements.read(answer, evidence);
            }
        }

        @Override
        public void disconnected(Channel channel) throws RemotingException {
            GatewayExchangeClient known = client;
            if (known != null) {
                known.lost(channel);
            }
            try {
                super.disconnected(channel);
            } catch (IllegalStateException e) { // Dubbo reads the configuration, which has ended with the application
                if (!channel.getUrl().getOrDefaultApplicationModel().isDestroyed()) {
                    throw e;
                }
            }
        }
    }
}
