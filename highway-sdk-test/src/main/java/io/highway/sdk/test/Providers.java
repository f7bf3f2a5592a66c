// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.dubbo.TunnelKind;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.ServerService;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/** The providers of one island, which are one Dubbo application, and the gateways that lead there. Thread-safe. */
final class Providers {

    private static final int GATEWAY_PORT = 1;

    private final String island;
    private final boolean isHome;
    private final Map<String, String> properties;
    private final Network network;
    private final Map<Class<?>, ServiceConfig<?>> exported = new HashMap<>();

    /** The gateways of the present test by protocol; empty without real connections. */
    private final Map<TunnelKind, Relay> relays = new EnumMap<>(TunnelKind.class);

    private final Map<TunnelKind, Integer> ports = new EnumMap<>(TunnelKind.class);
    private final FrameworkModel framework;

    /** What the application exports. */
    private final Map<String, Invoker<?>> services = new ConcurrentHashMap<>();

    private volatile IslandState state;

    /** What each test of the class begins with: services and faults. */
    private IslandState kept;

    /** What the tests of the classes around the present one begin with; in a Spring context, of all classes. */
    private final Deque<IslandState> around = new ArrayDeque<>();

    private int test;

    /** Null until a test needs it: each takes tens of milliseconds. */
    private @Nullable ApplicationModel started;

    /**
     * Starts them, if they have ports.
     *
     * @param isHome whether references call them without a gateway
     * @param isReal whether they have separate ports and gateways
     */
    Providers(
            String island,
            boolean isHome,
            boolean isReal,
            Map<String, String> properties,
            FrameworkModel framework,
            Network network) {
        this.island = island;
        this.isHome = isHome;
        this.network = network;
        this.properties = new HashMap<>(properties);
        this.properties.putIfAbsent("highway.island", island);
        if (isReal) {
            int http = Relay.freePort();
            ports.putAll(Map.of(
                    TunnelKind.DUBBO, Relay.freePort(),
                    TunnelKind.TRIPLE, Relay.freePort(),
                    TunnelKind.HTTP, http));
            this.properties.put("highway.http.port", String.valueOf(http));
        }
        this.framework = framework;
        this.state = new IslandState(island, services);
        this.kept = state;
        if (isReal) {
            export(Present.class, (Present) () -> {}); // so that its ports are open
        }
        open();
    }

    /** A service that each island with real connections has. */
    interface Present {

        void here();
    }

    private void open() {
        network.put(address(), state);
        ports.forEach((kind, port) -> relays.put(kind, new Relay(port)));
    }

    /** Closes the gateways. */
    void close() {
        network.remove(address());
        relays.values().forEach(Relay::down);
    }

    synchronized ApplicationModel application() {
        ApplicationModel known = started;
        if (known == null) {
            known = ports.isEmpty() ? framework.newApplication() : framework.defaultApplication();
            DubboApplication.configure(known, island + "-providers", properties, protocols());
            known.getBeanFactory().registerBean(this);
            started = known;
        }
        return known;
    }

    /** Null if the application does not belong to a test. */
    static @Nullable Providers of(ApplicationModel application) {
        return application.getBeanFactory().getBean(Providers.class);
    }

    /** The clock that the test moves, or null if time passes by itself. */
    @Nullable
    ManualClock clock() {
        return network.clock();
    }

    void exported(String service, Invoker<?> invoker) {
        services.put(service, invoker);
    }

    void unexported(String service) {
        services.remove(service);
    }

    boolean isHome() {
        return isHome;
    }

    /** The state in the present test. */
    IslandState state() {
        return state;
    }

    /** What is served now, and fails, is so in each test. */
    synchronized void keep() {
        kept = state.again();
        state.begin();
    }

    /** A nested class begins. */
    synchronized void enter() {
        around.push(kept);
    }

    /** It has ended. */
    synchronized void leave() {
        kept = around.pop();
    }

    /** A test begins: nothing else is served, and gateways have other addresses, so that their health is new, too. */
    synchronized void begin() {
        close();
        test++;
        state = kept.again();
        kept.services().forEach(this::export);
        open();
        if (state.fault().down()) {
            relays.values().forEach(Relay::down);
        }
    }

    /** {@code host:port} of the gateways in the present test; at home, of the providers. */
    String address() {
        return island + ".test:" + (GATEWAY_PORT + (isHome ? 0 : test));
    }

    /** The keys by which calls find the gateways. */
    synchronized Map<String, String> gateways() {
        Map<String, String> keys = new HashMap<>();
        for (TunnelKind kind : TunnelKind.values()) {
            Relay relay = relays.get(kind);
            keys.put(
                    "highway.islands." + island + ".gateways." + kind.word(),
                    relay == null ? address() : relay.address());
        }
        return keys;
    }

    /** Sets the fault of a call, or of all. */
    synchronized void fails(@Nullable Integer call, Fault fault) {
        state.fault(call, fault);
        if (call == null && fault.down()) {
            relays.values().forEach(Relay::down);
        }
    }

    /** Its gateways lead to others. */
    void servedBy(Providers others) {
        if (isHome || !ports.isEmpty()) {
            throw new IllegalStateException("isServedBy(..) is for an island behind gateways without real connections");
        }
        state.servedBy(others::state);
    }

    synchronized void recovers() {
        state.recovers();
        relays.values().forEach(Relay::up);
    }

    /** Exports an interface once; what it calls is what the present test serves. Dubbo binds a generated stub to its object. */
    synchronized void export(Class<?> type, Object service) {
        if (service instanceof ServerService<?> stub && stub.getServiceDescriptor() == null) {
            throw new IllegalArgumentException("serves: the object for " + type.getName()
                    + " has no service descriptor, as a mock of a generated ImplBase; mock the interface instead");
        }
        ServiceConfig<?> before = exported.get(type);
        boolean isStub = service instanceof ServerService;
        if (before != null && before.getRef() != service && (isStub || before.getRef() instanceof ServerService)) {
            before.unexport();
            exported.remove(type);
        }
        if (!exported.containsKey(type)) {
            exported.put(type, DubboApplication.export(application(), type, isStub ? service : served(type)));
        }
        state.serve(type, service);
    }

    private List<ProtocolConfig> protocols() {
        return ports.isEmpty()
                ? List.of(new ProtocolConfig(Network.NAME, GATEWAY_PORT))
                : ports.entrySet().stream()
                        .filter(entry -> entry.getKey() != TunnelKind.HTTP) // no protocol of Dubbo
                        .map(entry -> protocol(entry.getKey(), entry.getValue()))
                        .toList();
    }

    private static ProtocolConfig protocol(TunnelKind kind, int port) {
        ProtocolConfig protocol = new ProtocolConfig(kind.dubboProtocol(), port);
        protocol.setParameters(Map.of("bind.ip", "0.0.0.0"));
        return protocol;
    }

    private Object served(Class<?> type) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            Object service = state.service(type);
            if (service == null || method.getDeclaringClass() == Object.class) { // of the proxy
                return method.invoke(this, arguments);
            }
            method.trySetAccessible(); // the interface may not be public
            try {
                return method.invoke(service, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }
}
