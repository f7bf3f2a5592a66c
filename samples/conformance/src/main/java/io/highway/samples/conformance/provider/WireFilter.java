// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.conformance.provider;

import io.highway.samples.conformance.service.Ledger;
import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * Records the attachments on the wire, before the SDK's guard removes its keys. With the attachment {@code kit-filter}
 * it lets the call run and then fails with that text, as a filter of an application may.
 */
@Activate(group = CommonConstants.PROVIDER, order = Integer.MIN_VALUE)
public final class WireFilter implements Filter {

    private final @Nullable Journal journal;

    /** Called by Dubbo once per application; only providers of the kit have a journal. */
    public WireFilter(ApplicationModel application) {
        this.journal = application.getBeanFactory().getBean(Journal.class);
    }

    private static Result claimed(Invocation invocation, Result ran) {
        String text = invocation.getAttachment("kit-filter");
        if (text == null) {
            return ran;
        }
        throw new RpcException(RpcException.NETWORK_EXCEPTION, text);
    }

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) {
        Object[] arguments = invocation.getArguments();
        boolean ofService = !invoker.getInterface().equals(Ledger.class);
        if (journal != null
                && ofService
                && arguments != null
                && arguments.length > 0
                && arguments[0] instanceof String id) {
            Map<String, String> attachments = new HashMap<>();
            invocation.getObjectAttachments().forEach((key, value) -> {
                if (value instanceof String text) {
                    attachments.put(key, text);
                }
            });
            journal.arrived(id, attachments);
        }
        return claimed(invocation, invoker.invoke(invocation));
    }
}
