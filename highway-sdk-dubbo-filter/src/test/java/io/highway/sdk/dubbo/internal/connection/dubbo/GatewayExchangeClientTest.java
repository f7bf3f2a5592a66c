// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.highway.sdk.dubbo.internal.connection.channel.GatewayClients;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongConsumer;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.remoting.exchange.support.DefaultFuture;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

class GatewayExchangeClientTest {

    private static final int LONG = 60_000;

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final GatewayNettyClient netty = mock(GatewayNettyClient.class);
    private final Channel connection = mock(Channel.class);
    private GatewayExchangeClient client;

    @BeforeEach
    void connect() {
        InetSocketAddress local = InetSocketAddress.createUnresolved("zhejiang.test", 40_000);
        when(netty.getUrl()).thenReturn(URL.valueOf("dubbo://gateway.zhejiang.test:20880?reconnect=false"));
        when(netty.canHandleIdle()).thenReturn(true);
        when(netty.isConnected()).thenReturn(true);
        when(netty.getLocalAddress()).thenReturn(local);
        when(connection.getLocalAddress()).thenReturn(local);
        client = new GatewayExchangeClient(netty, new GatewayClients());
    }

    @AfterEach
    void stop() {
        executor.shutdownNow();
    }

    @Test
    void endsACall_whoseConnectionIsLostWhileItIsWritten() throws RemotingException {
        doAnswer(written -> {
                    client.lost(connection);
                    return null;
                })
                .when(netty)
                .send(any());

        CompletableFuture<Object> call = client.request("a call", LONG, executor);

        assertThat(call)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("is inactive");
    }

    @Test
    void keepsTheAnswer_thatWaitsForAThread_whenTheConnectionIsLost() throws Exception {
        ArgumentCaptor<LongConsumer> answered = ArgumentCaptor.forClass(LongConsumer.class);
        verify(netty).onAnswer(answered.capture());
        DefaultFuture call = (DefaultFuture) client.request("a call", LONG, executor);
        long id = call.getRequest().getId();
        Response answer = new Response(id);
        answer.setResult("an answer");

        answered.getValue().accept(id);
        client.lost(connection);

        assertThat(call).isNotDone();
        DefaultFuture.received(connection, answer);
        assertThat(call.get()).isEqualTo("an answer");
    }

    private static AttemptEvidence evidenceOf(Request request) {
        RpcInvocation invocation =
                new RpcInvocation((ServiceModel) null, "note", "Shop", "Shop", new Class<?>[0], new Object[0]);
        request.setData(invocation);
        AttemptEvidence.Connection gateway = mock(AttemptEvidence.Connection.class);
        when(gateway.isInUse()).thenReturn(true);
        AttemptEvidence evidence = AttemptEvidence.begin(invocation, gateway, "shanghai", "Shop", "note", null);
        evidence.passToInvoker(invocation, false);
        return evidence;
    }

    @Test
    void forgetsACall_whoseWriteFails() throws RemotingException {
        Request request = new Request();
        AttemptEvidence evidence = evidenceOf(request);
        RemotingException failure = new RemotingException(connection, "the connection is closed");
        doThrow(failure).when(netty).send(any());

        assertThatThrownBy(() -> client.request(request, LONG, executor)).isSameAs(failure);

        assertThat(evidence.neverLeft()).isTrue();
        assertThat(client.hasCallsInFlight()).isFalse();
        assertThat(DefaultFuture.getFuture(request.getId())).isNull();
    }

    /** Dubbo answers a request itself that it could not write, and may report the failure as well. */
    @Test
    void explainsThatTheConnectionIsLost_whenThatHasEndedACall_whoseWriteFails() throws RemotingException {
        Request request = new Request();
        AttemptEvidence evidence = evidenceOf(request);
        doAnswer(written -> {
                    DefaultFuture.received(connection, new Response(request.getId()));
                    throw new RemotingException(connection, "the connection is closed");
                })
                .when(netty)
                .send(any());

        assertThatThrownBy(() -> client.request(request, LONG, executor))
                .isInstanceOf(RemotingException.class)
                .hasMessageContaining("lost while writing");

        assertThat(evidence.isWriteEnded()).isTrue();
        assertThat(client.hasCallsInFlight()).isFalse();
    }

    /** The gateway would refuse it, and cannot say so. */
    @Test
    void sendsNoOneWayCall_overAConnectionThatDrains() throws RemotingException {
        when(netty.hasAttribute(Constants.CHANNEL_ATTRIBUTE_READONLY_KEY)).thenReturn(true);
        Request request = new Request();
        AttemptEvidence evidence = evidenceOf(request);

        assertThatThrownBy(() -> client.send(request, false)).isInstanceOf(RemotingException.class);

        verify(netty, never()).send(any(), anyBoolean());
        assertThat(evidence.neverLeft()).isTrue();
    }

    @Test
    void sendsAOneWayCall_overAnotherConnection_whileOneDrains() throws RemotingException {
        GatewayNettyClient other = mock(GatewayNettyClient.class);
        URL url = netty.getUrl();
        when(other.getUrl()).thenReturn(url);
        when(other.canHandleIdle()).thenReturn(true);
        when(other.isConnected()).thenReturn(true);
        GatewayClients connections = new GatewayClients();
        GatewayExchangeClient draining = new GatewayExchangeClient(netty, connections);
        connections.opened(url, draining);
        connections.opened(url, new GatewayExchangeClient(other, connections));
        when(netty.hasAttribute(Constants.CHANNEL_ATTRIBUTE_READONLY_KEY)).thenReturn(true);

        draining.send(new Request(), false);

        verify(netty, never()).send(any(), anyBoolean());
        verify(other).send(any(), anyBoolean());
    }

    @Test
    void letsACallGoOn_overAConnectionWithTheAddressOfALostOne() throws RemotingException {
        client.lost(connection);

        CompletableFuture<Object> call = client.request("a call", LONG, executor);

        assertThat(call).isNotDone();
        client.lost(connection);
        assertThat(call).failsWithin(Duration.ofSeconds(10));
    }
}
