// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.audit;

import io.highway.sdk.dubbo.HighwayMeters;
import io.highway.tools.chaos.star.LedgerWriter;
import io.highway.tools.processes.DubboProvider;
import io.highway.tools.processes.Folders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.dubbo.common.stream.StreamObserver;

/** Shanghai's provider. It writes how many audit lines it has counted as lost to a file. */
final class AuditedProcess {

    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private AuditedProcess() {}

    /** Arguments: the port for the Dubbo protocol, the one for Triple, the ledger, and the file. */
    public static void main(String[] arguments) throws IOException {
        Map<String, String> faulty = Map.of(FaultyFilter.PARAMETER, "true");
        DubboProvider provider = new DubboProvider("audited", "shanghai.test").listen(arguments[0], arguments[1]);
        Services services = new Services(new LedgerWriter(Path.of(arguments[2])));
        provider.export(FaultyService.class, services, service -> service.setParameters(faulty))
                .export(StreamService.class, services, service -> {
                    service.setParameters(faulty);
                    service.setProtocolIds("tri");
                })
                .start("audited");
        HighwayMeters.Meter lost = HighwayMeters.of(provider.application()).meters().stream()
                .filter(meter -> meter.name().equals("highway.audit.lost"))
                .findFirst()
                .orElseThrow();
        long known = -1;
        while (true) {
            if ((long) lost.value() != known) {
                known = (long) lost.value();
                Folders.replace(Path.of(arguments[3]), String.valueOf(known));
            }
            LockSupport.parkNanos(STEP_NANOS);
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
}
