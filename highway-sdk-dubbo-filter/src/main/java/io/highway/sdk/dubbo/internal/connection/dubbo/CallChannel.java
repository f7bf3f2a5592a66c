// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.ChannelHandler;
import org.apache.dubbo.remoting.transport.AbstractChannel;
import org.jspecify.annotations.Nullable;

/** A channel of Dubbo's that is no connection of Dubbo's, with attributes. Thread-safe. */
public abstract class CallChannel extends AbstractChannel {

    private final Map<String, Object> attributes = new ConcurrentHashMap<>();

    protected CallChannel(URL url, ChannelHandler handler) {
        super(url, handler);
    }

    @Override
    public boolean hasAttribute(String key) {
        return attributes.containsKey(key);
    }

    @Override
    public @Nullable Object getAttribute(String key) {
        return attributes.get(key);
    }

    @Override
    public void setAttribute(String key, Object value) {
        attributes.put(key, value);
    }

    @Override
    public void removeAttribute(String key) {
        attributes.remove(key);
    }
}
