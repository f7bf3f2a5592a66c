// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.Transporters;
import org.apache.dubbo.remoting.exchange.ExchangeClient;
import org.apache.dubbo.remoting.exchange.ExchangeHandler;
import org.apache.dubbo.remoting.exchange.ExchangeServer;
import org.apache.dubbo.remoting.exchange.Exchanger;
import org.apache.dubbo.remoting.exchange.support.DefaultFuture;
import org.apache.dubbo.remoting.exchange.support.header.HeaderExchangeClient;
import org.apache.dubbo.remoting.exchange.support.header.HeaderExchangeHandler;
import org.apache.dubbo.remoting.exchange.support.header.HeaderExchanger;
import org.apache.dubbo.remoting.transport.DecodeHandler;

/**
 * Dubbo's own exchange, with two differences that only gateway connections get: calls in flight fail at once when the
 * connection is lost (Dubbo waits up to ten seconds for answers that cannot come), and the connection is known to
 * {@link GatewayConnections}.
 */
public final class GatewayExchanger implements Exchanger {

    /** The extension's name, as a URL's {@code exchanger} parameter. */
    static final String NAME = "highway";

    @Override
    public ExchangeClient connect(URL url, ExchangeHandler handler) throws RemotingException {
        ExchangeClient client =
                new HeaderExchangeClient(Transporters.connect(url, new DecodeHandler(new FailFast(handler))), true);
        url.getOrDefaultFrameworkModel()
                .getBeanFactory()
                .getOrRegisterBean(GatewayConnections.class)
                .opened(url.getAddress(), client);
        return client;
    }

    @Override
    public ExchangeServer bind(URL url, ExchangeHandler handler) throws RemotingException {
        return new HeaderExchanger().bind(url, handler);
    }

    private static final class FailFast extends HeaderExchangeHandler {

        FailFast(ExchangeHandler handler) {
            super(handler);
        }

        @Override
        public void disconnected(Channel channel) throws RemotingException {
            DefaultFuture.closeChannel(channel, 0);
            super.disconnected(channel);
        }
    }
}
