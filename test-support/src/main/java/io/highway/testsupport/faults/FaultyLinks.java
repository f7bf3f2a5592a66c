// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.testsupport.faults;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** All links of a star; one thread serves them. */
public final class FaultyLinks implements AutoCloseable {

    @SuppressWarnings("deprecation") // its successor is not in Netty 4.1
    private final EventLoopGroup group = new NioEventLoopGroup(1, new DefaultThreadFactory("links", true));

    private final List<FaultyLink> links = new ArrayList<>();

    /** A link from {@code port} on loopback, 0 for any that is free, to {@code targetPort} there; it listens when this returns. */
    public FaultyLink link(int port, int targetPort) {
        FaultyLink link = new FaultyLink(group.next(), port, targetPort);
        link.open();
        links.add(link);
        return link;
    }

    @Override
    public void close() {
        links.forEach(FaultyLink::close);
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
