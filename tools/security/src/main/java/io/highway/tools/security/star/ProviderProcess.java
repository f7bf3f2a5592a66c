// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.star;

import io.highway.tools.processes.ChildProcess;
import io.highway.tools.security.service.AccountService;
import io.highway.tools.security.service.HomeService;
import io.highway.tools.security.service.ReserveService;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;

/** One provider process in shanghai; its {@code -Dhighway.*} options say what the guard demands. */
final class ProviderProcess {

    private ProviderProcess() {}

    /** Arguments: the port for the Dubbo protocol, the one for Triple, and the file of the ledger. */
    public static void main(String[] arguments) throws IOException {
        ChildProcess.endWithParent();
        Bank bank = new Bank(Path.of(arguments[2]));
        DubboBootstrap dubbo = DubboBootstrap.getInstance()
                .application("bank")
                .registry(new RegistryConfig("N/A"))
                .protocols(List.of(protocol("dubbo", arguments[0]), protocol("tri", arguments[1])))
                .service(service(AccountService.class, bank))
                .service(service(ReserveService.class, bank))
                .service(service(HomeService.class, new Home()))
                .start();
        ChildProcess.ready("bank");
        dubbo.await();
    }

    /** Answers callers at home. */
    private static final class Home implements HomeService {

        @Override
        public String ping() {
            return "pong";
        }

        @Override
        public CompletableFuture<String> pingLater() {
            return CompletableFuture.completedFuture(ping());
        }
    }

    private static <T> ServiceConfig<T> service(Class<T> type, T implementation) {
        ServiceConfig<T> service = new ServiceConfig<>();
        service.setInterface(type);
        service.setRef(implementation);
        return service;
    }

    private static ProtocolConfig protocol(String name, String port) {
        ProtocolConfig protocol = new ProtocolConfig(name, Integer.parseInt(port));
        protocol.setId(name);
        protocol.setHost("shanghai.test");
        return protocol;
    }
}
