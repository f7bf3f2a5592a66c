// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;

/** At the provider, before the guard: records the route headers of calls to services with the parameter {@code recording}. */
@Activate(group = CommonConstants.PROVIDER, order = Integer.MIN_VALUE, value = "recording")
public final class RecordingFilter implements Filter {

    static final BlockingQueue<Map<String, String>> ARRIVED = new LinkedBlockingQueue<>();

    /** The messages of the exceptions that calls ended with. */
    static final Queue<String> REFUSED = new ConcurrentLinkedQueue<>();

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) {
        Map<String, String> headers = new TreeMap<>();
        invocation.getObjectAttachments().forEach((key, value) -> {
            if (key.startsWith("highway-")) {
                headers.put(key, String.valueOf(value));
            }
        });
        ARRIVED.add(headers);
        Result result = invoker.invoke(invocation);
        if (result.hasException()) {
            REFUSED.add(String.valueOf(result.getException().getMessage()));
        }
        return result;
    }
}
