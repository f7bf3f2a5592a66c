// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.entry;

import java.lang.reflect.Proxy;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.cluster.ClusterInvoker;
import org.apache.dubbo.rpc.cluster.Directory;

/** Home, whose answers are always the same and allocate nothing. */
record StubHome<T>(URL url, Class<T> type) implements ClusterInvoker<T> {

    private static final Result ANSWER = new AppResponse("sold");

    @Override
    public URL getRegistryUrl() {
        return url;
    }

    @Override
    @SuppressWarnings("unchecked")
    public Directory<T> getDirectory() {
        return (Directory<T>) Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {Directory.class}, (proxy, method, arguments) -> null);
    }

    @Override
    public boolean isDestroyed() {
        return false;
    }

    @Override
    public Class<T> getInterface() {
        return type;
    }

    @Override
    public Result invoke(Invocation invocation) {
        return ANSWER;
    }

    @Override
    public URL getUrl() {
        return url;
    }

    @Override
    public boolean isAvailable() {
        return true;
    }

    @Override
    public void destroy() {
        // nothing to release
    }
}
