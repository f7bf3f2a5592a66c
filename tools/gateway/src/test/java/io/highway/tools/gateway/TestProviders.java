// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.highway.tools.fixtures.ports.FreePorts;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/** Real providers of one island, a Dubbo and a Triple port. */
final class TestProviders implements AutoCloseable {
    static {
        System.setProperty("dubbo.service.shutdown.wait", "100"); // Dubbo would wait ten seconds for idle clients
    }

    final Queue<String> notes = new ConcurrentLinkedQueue<>();
    final AtomicInteger produced = new AtomicInteger();
    final AtomicBoolean cancelled = new AtomicBoolean();
    private final String name;
    private final int dubboPort;
    private final int triplePort;
    private final FrameworkModel framework = new FrameworkModel();

    private TestProviders(String name, int dubboPort, int triplePort, String registry) {
        this.name = name;
        this.dubboPort = dubboPort;
        this.triplePort = triplePort;
        DubboBootstrap bootstrap = DubboBootstrap.getInstance(framework.newApplication());
        ApplicationConfig application = new ApplicationConfig("provider-" + name);
        application.setQosEnable(false);
        bootstrap.application(application).registry(new RegistryConfig(registry));
        bootstrap.protocols(List.of(protocol("dubbo", dubboPort), protocol("tri", triplePort)));
        bootstrap.service(service(EchoService.class, new Echo(), null, null));
        bootstrap.service(service(EchoService.Streaming.class, new Streams(), null, null));
        bootstrap.service(service(EchoService.class, new Echo(), "blue", "2.0"));
        bootstrap.start();
    }

    /** A separate process that drains when it is stopped; arguments: name and registry. */
    public static void main(String[] arguments) {
        System.setProperty("dubbo.service.shutdown.wait", "3000");
        TestProviders island = registered(arguments[0], arguments[1]);
        System.out.println("ready " + island.dubboPort);
        LockSupport.park();
    }

    static TestProviders start(String name) {
        return start(name, FreePorts.next(), FreePorts.next());
    }

    static TestProviders start(String name, int dubboPort, int triplePort) {
        return new TestProviders(name, dubboPort, triplePort, "N/A");
    }

    static TestProviders registered(String name, String registry) {
        return new TestProviders(name, FreePorts.next(), FreePorts.next(), registry);
    }

    /** Of a gateway in shanghai. */
    static GatewayConfig.Builder gateway() {
        return GatewayConfig.builder().island("shanghai").listen("gateway.shanghai.test", 0);
    }

    /** Of one in front of these providers. */
    GatewayConfig.Builder inFront() {
        return gateway().providers("shanghai", "*", dubbo(), triple());
    }

    /** Of a hub that forwards all calls. */
    static GatewayConfig.Builder hub(String... next) {
        return GatewayConfig.builder()
                .island("hub")
                .listen("gateway.hub.test", 0)
                .defaultNext(List.of(next));
    }

    List<String> dubbo() {
        return List.of(name + ".test:" + dubboPort);
    }

    List<String> triple() {
        return List.of(name + ".test:" + triplePort);
    }

    @Override
    public void close() {
        framework.destroy();
    }

    private ProtocolConfig protocol(String protocol, int port) {
        ProtocolConfig config = new ProtocolConfig(protocol, port);
        config.setHost(name + ".test");
        config.setThreads(64);
        config.setPayload(16 << 20);
        config.setParameters(Map.of("bind.ip", "0.0.0.0"));
        return config;
    }

    private static <T> ServiceConfig<T> service(
            Class<T> type, T target, @Nullable String group, @Nullable String version) {
        ServiceConfig<T> config = new ServiceConfig<>();
        config.setInterface(type);
        config.setRef(target);
        config.setGroup(group);
        config.setVersion(version);
        config.setSerialization("hessian2");
        config.setPreferSerialization("hessian2,fastjson2");
        return config;
    }

    /** Echoes, and returns what it received in response attachments. */
    private final class Echo implements EchoService {
        @Override
        public String echo(String text) {
            String island = RpcContext.getServerAttachment().getAttachment("highway-island");
            RpcContext.getServerContext().setAttachment("seen-island", String.valueOf(island));
            return name + ":" + text;
        }

        @Override
        public byte[] bytes(byte[] body) {
            return body;
        }

        @Override
        public String slow(String text, long millis) {
            LockSupport.parkNanos(millis * 1_000_000);
            return text;
        }

        @Override
        public Letter letter(Letter letter) {
            return letter;
        }

        @Override
        public void fail(String message) throws LostLetterException {
            throw new LostLetterException(message);
        }

        @Override
        public void note(String text) {
            notes.add(text);
        }
    }

    /** Streams in all three directions. */
    private final class Streams implements EchoService.Streaming {
        @Override
        public void count(int to, StreamObserver<byte[]> numbers) {
            RpcContext.getCancellationContext().addListener(context -> cancelled.set(true));
            for (int number = 0; number < to; number++) {
                byte[] block = new byte[16 << 10];
                block[0] = (byte) number;
                numbers.onNext(block);
                produced.incrementAndGet();
            }
            numbers.onCompleted();
        }

        @Override
        public StreamObserver<String> collect(StreamObserver<String> summary) {
            return new StreamObserver<>() {
                private long characters;

                @Override
                public void onNext(String block) {
                    characters += block.length();
                }

                @Override
                public void onError(Throwable failure) {
                    cancelled.set(true);
                }

                @Override
                public void onCompleted() {
                    summary.onNext(Long.toString(characters));
                    summary.onCompleted();
                }
            };
        }

        @Override
        public StreamObserver<String> repeat(StreamObserver<String> echoes) {
            return new StreamObserver<>() {
                @Override
                public void onNext(String text) {
                    echoes.onNext(name + ":" + text);
                }

                @Override
                public void onError(Throwable failure) {
                    cancelled.set(true);
                }

                @Override
                public void onCompleted() {
                    echoes.onCompleted();
                }
            };
        }
    }
}
