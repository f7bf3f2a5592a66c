// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy.version1;

import io.highway.tools.benchmarks.calls.CallerApplication;
import io.highway.tools.benchmarks.orders.Confirmation;
import io.highway.tools.benchmarks.orders.Order;
import io.highway.tools.benchmarks.orders.OrderService;
import org.apache.dubbo.common.beanutil.JavaBeanAccessor;
import org.apache.dubbo.common.beanutil.JavaBeanDescriptor;
import org.apache.dubbo.common.beanutil.JavaBeanSerializeUtil;
import org.apache.dubbo.rpc.service.GenericService;

/** The far service as an application saw it: takes arguments apart, calls home's gateway, puts the answer together. */
public final class GenericCaller implements OrderService {

    private final GenericService gateway;

    /**
     * Calls by this application.
     *
     * @param gateway home's, {@code host:port}
     */
    public GenericCaller(CallerApplication application, String gateway) {
        this.gateway = application.generic(OrderService.class.getName(), gateway);
    }

    @Override
    public Confirmation place(Order order) {
        Object argument = JavaBeanSerializeUtil.serialize(order, JavaBeanAccessor.METHOD);
        return (Confirmation) call("place", new String[] {Order.class.getName()}, argument);
    }

    @Override
    public String from() {
        return (String) call("from", new String[0]);
    }

    private Object call(String method, String[] types, Object... arguments) {
        return JavaBeanSerializeUtil.deserialize((JavaBeanDescriptor) gateway.$invoke(method, types, arguments));
    }
}
