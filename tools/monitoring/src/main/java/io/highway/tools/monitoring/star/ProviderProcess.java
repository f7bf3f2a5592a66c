// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring.star;

import io.highway.tools.monitoring.service.Answers;
import io.highway.tools.monitoring.service.ReportService;
import io.highway.tools.monitoring.service.SmsService;
import io.highway.tools.processes.ChildProcess;
import java.util.List;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;

/** A provider without Spring; {@code -Dhighway.island} names its island. */
final class ProviderProcess {

    private ProviderProcess() {}

    /** Arguments: the island, the port for both protocols, the registry or {@code N/A}, and the services. */
    public static void main(String[] arguments) {
        ChildProcess.endWithParent();
        Answers answers = new Answers(arguments[0]);
        ProtocolConfig protocol = new ProtocolConfig("dubbo", Integer.parseInt(arguments[1]));
        protocol.setExtProtocol("tri,");
        protocol.setHost(arguments[0] + ".test");
        DubboBootstrap dubbo = DubboBootstrap.getInstance()
                .application("provider")
                .registry(new RegistryConfig(arguments[2]))
                .protocol(protocol);
        if (List.of(arguments).contains("sms")) {
            dubbo.service(service(SmsService.class, answers));
        }
        if (List.of(arguments).contains("reports")) {
            dubbo.service(service(ReportService.class, answers));
        }
        dubbo.start();
        ChildProcess.ready(arguments[1]);
        dubbo.await();
    }

    private static <T> ServiceConfig<T> service(Class<T> type, T answers) {
        ServiceConfig<T> service = new ServiceConfig<>();
        service.setInterface(type);
        service.setRef(answers);
        return service;
    }
}
