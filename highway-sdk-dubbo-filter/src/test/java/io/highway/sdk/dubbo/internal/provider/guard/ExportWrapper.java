// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.dubbo.internal.provider.server.DelegatingProtocol;
import org.apache.dubbo.rpc.Exporter;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;

/** Something between Dubbo's protocols and the guard; its order is above that of {@link GuardProtocolWrapper}. */
public abstract class ExportWrapper extends DelegatingProtocol {

    public static final int ORDER = 1001;

    protected ExportWrapper(Protocol protocol) {
        super(protocol);
    }

    protected abstract <T> Invoker<T> wrap(Invoker<T> invoker);

    @Override
    public <T> Exporter<T> export(Invoker<T> invoker) {
        return protocol.export(wrap(invoker));
    }
}
