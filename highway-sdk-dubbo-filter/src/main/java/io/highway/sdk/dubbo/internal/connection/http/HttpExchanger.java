// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.http;

import io.highway.sdk.dubbo.internal.connection.channel.ConnectionUrls;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayClients;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.Statements;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.exchange.ExchangeClient;
import org.apache.dubbo.remoting.exchange.ExchangeHandler;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.remoting.exchange.support.header.HeaderExchangeHandler;
import org.apache.dubbo.remoting.exchange.support.header.HeaderExchanger;
import org.apache.dubbo.remoting.transport.DecodeHandler;
import org.apache.dubbo.remoting.transport.dispatcher.ChannelHandlers;

/** Dubbo's own exchange over HTTP: an {@link HttpExchangeClient} that {@link GatewayClients} knows. */
public final class HttpExchanger extends HeaderExchanger {

    /** The extension's name, as a URL's {@code exchanger} parameter. */
    public static final String NAME = "highway-http";

    @Override
    public ExchangeClient connect(URL shared, ExchangeHandler handler) throws RemotingException {
        URL url = ConnectionUrls.toConnect(shared).setProtocol(HttpProtocol.NAME);
        GatewayClients clients = GatewayClients.of(url);
        HttpExchangeClient client = new HttpExchangeClient(
                url, handler, ChannelHandlers.wrap(new DecodeHandler(new Answers(handler)), url));
        clients.opened(url, client);
        return client;
    }

    /** Reads the evidence in an answer before any other code does. */
    private static final class Answers extends HeaderExchangeHandler {

        Answers(ExchangeHandler handler) {
            super(handler);
        }

        @Override
        public void received(Channel channel, Object message) throws RemotingException {
            if (message instanceof Response answer) {
                AttemptEvidence evidence = AttemptEvidence.ofRequest(answer.getId());
                if (evidence != null) {
                    Statements.read(answer, evidence);
                }
            }
            super.received(channel, message);
        }
    }
}
