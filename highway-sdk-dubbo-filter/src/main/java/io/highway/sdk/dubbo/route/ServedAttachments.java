// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.route;

import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcContextAttachment;

/**
 * The server attachments of a request from another island; they know how many islands it has crossed. Wherever Dubbo's own
 * context goes ({@code AsyncContext}, {@code RpcContext.RestoreContext}, callbacks of asynchronous calls), the same map
 * goes, while Dubbo copies only its entries into further calls: the count reaches other threads, and no other process.
 */
public final class ServedAttachments extends HashMap<String, Object> {

    private static final long serialVersionUID = 1L;

    private final int hops;

    private ServedAttachments(Map<String, Object> attachments, int hops) {
        super(attachments);
        this.hops = hops;
    }

    /** Keeps the hops of the request that the current thread begins to serve. */
    public static void keep(int hops) {
        RpcContextAttachment context = RpcContext.getServerAttachment();
        context.setObjectAttachments(new ServedAttachments(context.getObjectAttachments(), hops));
    }

    /** How many islands the request has crossed whose context Dubbo has on this thread; 0 if it came from home. */
    public static int hops() {
        return RpcContext.getServerAttachment().getObjectAttachments() instanceof ServedAttachments served
                ? served.hops
                : 0;
    }
}
