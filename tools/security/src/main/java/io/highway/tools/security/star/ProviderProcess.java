// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.star;

import io.highway.tools.processes.DubboProvider;
import io.highway.tools.security.service.AccountService;
import io.highway.tools.security.service.HomeService;
import io.highway.tools.security.service.ReserveService;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** One provider process in shanghai; its {@code -Dhighway.*} options say what the guard demands. */
final class ProviderProcess {

    private ProviderProcess() {}

    /** Arguments: the port for the Dubbo protocol, the one for Triple, and the file of the ledger. */
    public static void main(String[] arguments) {
        Bank bank = new Bank(Path.of(arguments[2]));
        new DubboProvider("bank", "shanghai.test")
                .listen(arguments[0], arguments[1])
                .export(AccountService.class, bank)
                .export(ReserveService.class, bank)
                .export(HomeService.class, new Home())
                .serve("bank");
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
}
