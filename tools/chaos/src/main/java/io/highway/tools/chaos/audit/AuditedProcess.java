// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.audit;

import io.highway.sdk.dubbo.internal.audit.AuditLog;
import io.highway.tools.chaos.star.LedgerWriter;
import io.highway.tools.processes.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;

/** Shanghai's provider. It writes how many audit lines it has counted as lost to a file. */
final class AuditedProcess {

    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private AuditedProcess() {}

    /** Arguments: the port for the Dubbo protocol, the one for Triple, the ledger, and the file. */
    public static void main(String[] arguments) throws IOException {
        ChildProcess.endWithParent();
        Services services = new Services(new LedgerWriter(Path.of(arguments[2])));
        ServiceConfig<StreamService> streams = service(StreamService.class, services);
        streams.setProtocolIds("tri");
        DubboBootstrap dubbo = DubboBootstrap.getInstance()
                .application("audited")
                .registry(new RegistryConfig("N/A"))
                .protocols(List.of(protocol("dubbo", arguments[0]), protocol("tri", arguments[1])))
                .service(service(FaultyService.class, services))
                .service(streams)
                .start();
        AuditLog audit = AuditLog.of(dubbo.getApplicationModel());
        ChildProcess.ready("audited");
        long known = -1;
        while (true) {
            if (audit.lost() != known) {
                known = audit.lost();
                write(Path.of(arguments[3]), known);
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
    }

    private static void write(Path file, long lost) {
        try {
            Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), String.valueOf(lost));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Services(LedgerWriter ledger) implements FaultyService, StreamService {

        @Override
        public CompletableFuture<String> answer(Integer call) {
            ledger.executed(call);
            return CompletableFuture.completedFuture("done");
        }

        @Override
        public CompletableFuture<String> error(Integer call) {
            return answer(call);
        }

        @Override
        public CompletableFuture<String> hang(Integer call) {
            ledger.executed(call);
            return new CompletableFuture<>();
        }

        @Override
        public void idle(Integer call, StreamObserver<String> answers) {
            ledger.executed(call);
        }
    }

    private static <S> ServiceConfig<S> service(Class<S> type, S implementation) {
        ServiceConfig<S> service = new ServiceConfig<>();
        service.setInterface(type);
        service.setRef(implementation);
        service.setParameters(Map.of(FaultyFilter.PARAMETER, "true"));
        return service;
    }

    private static ProtocolConfig protocol(String name, String port) {
        ProtocolConfig protocol = new ProtocolConfig(name, Integer.parseInt(port));
        protocol.setId(name);
        protocol.setHost("shanghai.test");
        return protocol;
    }
}
