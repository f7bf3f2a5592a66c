// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.bench;

import io.highway.tools.processes.DubboCaller;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.ServiceConfig;

/** A Dubbo application that names no islands. */
public final class PlainDubbo implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 10_000;

    private final DubboCaller caller;

    /** Starts nothing yet. */
    public PlainDubbo(String name) {
        this.caller = DubboCaller.withoutSdk(name);
    }

    /** A reference to one address. */
    public <S> S refer(Class<S> type, String url) {
        return caller.refer(type, url, reference -> {
            reference.setRetries(0);
            reference.setTimeout(TIMEOUT_MILLIS);
        });
    }

    /** Offers a service over the Dubbo protocol. */
    <S> void export(Class<S> type, S provider, String host, int port) {
        ProtocolConfig protocol = new ProtocolConfig("dubbo", port);
        protocol.setHost(host);
        ServiceConfig<S> service = new ServiceConfig<>();
        service.setInterface(type);
        service.setRef(provider);
        caller.dubbo().protocol(protocol).service(service).start();
    }

    @Override
    public void close() {
        caller.close();
    }
}
