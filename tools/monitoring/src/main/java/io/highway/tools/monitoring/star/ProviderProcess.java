// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring.star;

import io.highway.tools.monitoring.service.Answers;
import io.highway.tools.monitoring.service.ReportService;
import io.highway.tools.monitoring.service.SmsService;
import io.highway.tools.processes.DubboProvider;
import java.util.List;

/** A provider without Spring; {@code -Dhighway.island} names its island. */
final class ProviderProcess {

    private ProviderProcess() {}

    /** Arguments: the island, the port for both protocols, the registry or {@code N/A}, and the services. */
    public static void main(String[] arguments) {
        Answers answers = new Answers(arguments[0]);
        DubboProvider provider = new DubboProvider("provider", arguments[0] + ".test", arguments[2])
                .listen("dubbo", arguments[1], protocol -> protocol.setExtProtocol("tri,"));
        if (List.of(arguments).contains("sms")) {
            provider.export(SmsService.class, answers);
        }
        if (List.of(arguments).contains("reports")) {
            provider.export(ReportService.class, answers);
        }
        provider.serve(arguments[1]);
    }
}
