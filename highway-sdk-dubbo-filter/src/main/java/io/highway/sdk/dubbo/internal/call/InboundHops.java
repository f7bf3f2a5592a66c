// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.call;

import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcContextAttachment;

/**
 * The server attachments of a request from another island, with the number of islands that it has crossed. Dubbo passes
 * this same map on with its context ({@code AsyncContext}, {@code RpcContext.RestoreContext}, callbacks of asynchronous
 * calls), but copies only the entries into further calls: the number reaches other threads and no other process.
 */
public final class InboundHops extends HashMap<String, Object> {

    private static final long serialVersionUID = 1L;

    private final int hops;

    private InboundHops(Map<String, Object> attachments, int hops) {
        super(attachments);
        this.hops = hops;
    }

    /** Stores the hops of the request that the current thread begins to serve. */
    public static void keep(int hops) {
        RpcContextAttachment context = RpcContext.getServerAttachment();
        context.setObjectAttachments(new InboundHops(context.getObjectAttachments(), hops));
    }

    /** The number of islands that the request in this thread's Dubbo context has crossed; 0 if it came from home. */
    public static int hops() {
        return RpcContext.getServerAttachment().getObjectAttachments() instanceof InboundHops served ? served.hops : 0;
    }
}
