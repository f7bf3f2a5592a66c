// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy;

import io.highway.tools.benchmarks.calls.CallerApplication;
import io.highway.tools.benchmarks.orders.Confirmation;
import io.highway.tools.benchmarks.orders.Order;
import io.highway.tools.benchmarks.orders.OrderService;
import io.highway.tools.benchmarks.orders.Orders;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.faults.FaultyLinks;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateways.Protocol;
import io.highway.tools.processes.Links;
import io.highway.tools.processes.Processes;
import io.highway.tools.processes.Star;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.dubbo.common.beanutil.JavaBeanAccessor;
import org.apache.dubbo.common.beanutil.JavaBeanDescriptor;
import org.apache.dubbo.common.beanutil.JavaBeanSerializeUtil;
import org.apache.dubbo.rpc.service.GenericService;

/** Home's gateways of version 1 and of the tunnels in front of the hub, and an application for each variant. */
final class HomeSide implements AutoCloseable {

    private static final int CALLS_BEFORE = 5;
    private static final String HTTP_GATEWAY = "zhejiang-http-gateway";

    private final Processes processes;
    private final List<CallerApplication> applications = new ArrayList<>();
    private final Map<Variant, OrderService> paths = new EnumMap<>(Variant.class);

    /** Returns when each path has answered a call. */
    HomeSide(FarSide far, Processes processes) throws IOException {
        this.processes = processes;
        String hub = "gateway.hub.test:";
        String port = String.valueOf(FreePorts.next());
        processes.start("home-version-1", List.of(), HomeGateway.class, port, hub + far.version1());
        String gateway = processes.gateway(
                "zhejiang",
                Map.of(
                        "shanghai",
                        Processes.providers(
                                hub + far.tunnels().dubbo(), hub + far.tunnels().triple())));
        // the route of a gateway has one port for Triple and HTTP, the hub a port for each
        Map<String, String> byHttp =
                Map.of("shanghai", Processes.next(hub + far.tunnels().http()));
        processes.startGateway(HTTP_GATEWAY, Star.gateway("zhejiang", 0, "", byHttp));
        String httpGateway = "gateway.zhejiang.test:" + processes.ready(HTTP_GATEWAY);
        processes.ready("home-version-1");
        CallerApplication plain = CallerApplication.plain();
        add(Variant.DIRECT, "", plain, plain.direct(OrderService.class, Protocol.DUBBO, far.provider()));
        CallerApplication generic = CallerApplication.plain();
        String version1 = "gateway.zhejiang.test:" + port;
        GenericService service = generic.generic(OrderService.class.getName(), version1);
        add(Variant.VERSION_1, "", generic, new GenericCaller(service));
        for (Protocol protocol : Protocol.values()) {
            String entrance = protocol == Protocol.HTTP ? httpGateway : gateway;
            CallerApplication caller = CallerApplication.tunnelling(protocol, entrance, Map.of());
            add(Variant.valueOf(protocol.name()), "zhejiang", caller, caller.routed(OrderService.class));
        }
    }

    private void add(Variant variant, String expected, CallerApplication caller, OrderService orders) {
        applications.add(caller);
        String from = orders.from();
        if (!from.equals(expected)) {
            throw new IllegalStateException("a call came from \"" + from + "\", not from \"" + expected + "\"");
        }
        paths.put(variant, orders);
    }

    /** Makes one call; throws {@link IllegalStateException} if the answer is not to this order. */
    Confirmation place(Variant variant, Order order) {
        Confirmation confirmation = Objects.requireNonNull(paths.get(variant)).place(order);
        Orders.check(order, confirmation);
        return confirmation;
    }

    /**
     * Counts the bytes of a call between home's gateway and the hub, both directions together, without what TCP adds, by
     * {@link Variant#key} and size, such as {@code dubbo8}: at links in front of the hub, with separate home gateways.
     */
    static Map<String, Double> countBytes(FarSide far, Processes processes, Map<Integer, Order> orders, int calls)
            throws IOException {
        Map<String, Double> bytes = new HashMap<>();
        try (FaultyLinks links = new FaultyLinks()) {
            FaultyLink version1 = links.link(0, far.version1());
            Links tunnels = Links.to(far.tunnels(), port -> links.link(0, port));
            FarSide linked = new FarSide(far.provider(), version1.port(), tunnels.ports());
            Map<Variant, FaultyLink> byVariant = Map.of(
                    Variant.VERSION_1, version1,
                    Variant.DUBBO, tunnels.dubbo(),
                    Variant.TRIPLE, tunnels.triple(),
                    Variant.HTTP, tunnels.http());
            try (HomeSide home = new HomeSide(linked, processes)) {
                orders.forEach((size, order) -> byVariant.forEach((variant, link) -> {
                    IntStream.range(0, CALLS_BEFORE).forEach(call -> home.place(variant, order));
                    long before = link.traffic().sum();
                    IntStream.range(0, calls).forEach(call -> home.place(variant, order));
                    bytes.put(variant.key() + size, (double) (link.traffic().sum() - before) / calls);
                }));
            }
        }
        return bytes;
    }

    @Override
    public void close() {
        applications.forEach(CallerApplication::close);
        processes.end("home-version-1");
        processes.end("zhejiang-gateway");
        processes.end(HTTP_GATEWAY);
    }

    /** Version 1 in an application: converts arguments to descriptors, calls home's gateway, converts the answer back. */
    private record GenericCaller(GenericService gateway) implements OrderService {

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
}
