// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.InvokerListener;

/** The invokers of this process that are not destroyed. Dubbo's extension. */
@Activate
public final class LiveInvokers implements InvokerListener {

    private static final Set<Invoker<?>> ALL = ConcurrentHashMap.newKeySet();

    @Override
    public void referred(Invoker<?> invoker) {
        ALL.add(invoker);
    }

    @Override
    public void destroyed(Invoker<?> invoker) {
        ALL.remove(invoker);
    }

    /** Those of an application for the provider or gateway at an address. */
    static List<Invoker<?>> of(TestApplication application, String address) {
        return ALL.stream()
                .filter(one -> one.getUrl().getAddress().equals(address)
                        && one.getUrl().getOrDefaultApplicationModel() == application.model())
                .toList();
    }
}
