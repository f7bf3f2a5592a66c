// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import io.highway.sdk.dubbo.policy.GatewayAddress;
import io.highway.sdk.dubbo.policy.TunnelKind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.common.url.component.ServiceConfigURL;
import org.apache.dubbo.common.utils.NetUtils;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * One gateway address: its shared connection, kept open without any service using it.
 *
 * <p>Dubbo alone comes back 55 s after a gateway does (measured with 3.3.6). Here a plain socket knocks while the
 * connection is down, and only when somebody listens Dubbo connects; so nothing is logged by the second, and a gateway
 * serves again right after it listens. {@link #tend()} runs on threads of {@link GatewayLinks}, never on a caller's.
 */
final class GatewayLink {

    /** How long connecting may take, milliseconds. */
    static final int CONNECT_TIMEOUT = 1000;

    private static final Logger log = LoggerFactory.getLogger(GatewayLink.class);

    private final GatewayAddress address;
    private final ApplicationModel application;
    private final Protocol protocol;
    private final GatewayConnections connections;
    private final CountDownLatch firstAttempt = new CountDownLatch(1);

    private volatile @Nullable LinkInvokers invokers;
    private volatile String problem = "not connected yet";
    /** A connection that another application opened cannot be renewed once that has stopped, and is replaced then. */
    private boolean couldNotRenew;

    private boolean wasUp;
    private boolean saidDown;

    GatewayLink(GatewayAddress address, ApplicationModel application) {
        this.address = address;
        this.application = application;
        this.connections = application.getFrameworkModel().getBeanFactory().getOrRegisterBean(GatewayConnections.class);
        this.protocol = application
                .getFrameworkModel()
                .getExtensionLoader(Protocol.class)
                .getExtension(address.kind().dubboProtocol(), false);
    }

    GatewayAddress address() {
        return address;
    }

    /** Why it is down. */
    String problem() {
        return problem;
    }

    /** The invokers on the live connection, or null while it is down. Does not block. */
    @Nullable
    LinkInvokers live() {
        LinkInvokers current = invokers;
        return current != null && current.isConnected() ? current : null;
    }

    /** Waits until somebody has tried to connect at all, so that a call right after start-up is not refused in vain. */
    void awaitFirstAttempt() throws InterruptedException {
        if (firstAttempt.getCount() > 0) {
            boolean tried = firstAttempt.await(2L * CONNECT_TIMEOUT, TimeUnit.MILLISECONDS);
            if (!tried) {
                problem = "still connecting";
            }
        }
    }

    /** Connects if the connection is down, and says so once per change. One thread at a time. */
    void tend() {
        try {
            if (live() == null) {
                if (address.kind() == TunnelKind.TRIPLE) {
                    drop();
                }
                knock();
                connect();
            }
        } catch (IOException | RemotingException | RuntimeException e) {
            problem = reason(e);
        } finally {
            firstAttempt.countDown();
        }
        boolean up = live() != null;
        if (up != wasUp || (!up && !saidDown)) {
            if (up) {
                log.info("highway: gateway " + address + " is up");
            } else {
                log.warn("highway: gateway " + address + " is down (" + problem + "), knocking");
            }
            saidDown = !up;
        }
        wasUp = up;
    }

    private void knock() throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(NetUtils.filterLocalHost(address.host()), address.port()), CONNECT_TIMEOUT);
        }
    }

    /**
     * A Dubbo connection is renewed in place. A Triple connection is replaced with all its invokers: Dubbo would revive it
     * by itself a second later and close the one that had been made meanwhile, with the calls in flight on it.
     */
    private void connect() throws RemotingException {
        boolean renew = invokers != null && !couldNotRenew;
        couldNotRenew = true;
        if (renew && connections.reconnect(keeperUrl().getAddress())) {
            couldNotRenew = live() == null;
        } else {
            drop();
            invokers = new LinkInvokers(protocol.refer(GatewayLink.class, keeperUrl()));
            couldNotRenew = false;
        }
        problem = "the connection did not come up";
    }

    private void drop() {
        LinkInvokers current = invokers;
        invokers = null;
        if (current != null) {
            current.close();
        }
    }

    void close() {
        drop();
        if (address.kind() == TunnelKind.DUBBO) {
            connections.forgetClosed(keeperUrl().getAddress());
        }
    }

    private URL keeperUrl() {
        return new ServiceConfigURL(
                        address.kind().dubboProtocol(),
                        address.host(),
                        address.port(),
                        GatewayLink.class.getName(),
                        CONNECTION_PARAMETERS)
                .setScopeModel(application.getInternalModule());
    }

    /**
     * What shapes a connection. The first who refers decides for all, so these depend on nothing but the address.
     * {@code reconnect} and {@code send.reconnect} are off because a calling thread must never connect.
     */
    static final Map<String, String> CONNECTION_PARAMETERS = Map.of(
            "side", "consumer",
            "check", "false",
            "connect.timeout", String.valueOf(CONNECT_TIMEOUT),
            "heartbeat", "5000",
            "reconnect", "false",
            "send.reconnect", "false",
            "exchanger", GatewayExchanger.NAME);

    private static String reason(Throwable problem) {
        String message = problem.getMessage();
        return message == null
                ? problem.toString()
                : message.lines().findFirst().orElse(message);
    }
}
