// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways.edge;

import java.util.Arrays;
import java.util.List;
import org.apache.servicecomb.localregistry.RegistryBean;
import org.apache.servicecomb.localregistry.RegistryBean.Instance;
import org.apache.servicecomb.localregistry.RegistryBean.Instances;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.support.GenericApplicationContext;

/** One gateway by the stock dispatcher {@code edge.http}, whose mappings are in {@code application.yml}. */
@SpringBootApplication
public class EdgeGateway {

    /** Runs until the process is ended; beside options, the arguments are {@code island=host:port,...}. */
    public static void main(String[] arguments) {
        new SpringApplicationBuilder(EdgeGateway.class)
                .web(WebApplicationType.NONE)
                .initializers(context -> {
                    for (String argument : arguments) {
                        if (!argument.startsWith("--")) {
                            register((GenericApplicationContext) context, argument.split("=", 2));
                        }
                    }
                })
                .run(arguments);
    }

    private static void register(GenericApplicationContext context, String[] provider) {
        List<Instance> instances = Arrays.stream(provider[1].split(",", -1))
                .map(address -> new Instance().setEndpoints(List.of("rest://" + address)))
                .toList();
        RegistryBean island = new RegistryBean()
                .setAppId("highway")
                .setServiceName(provider[0])
                .setVersion("1.0.0")
                .setInstances(new Instances().setInstances(instances));
        context.registerBean(provider[0], RegistryBean.class, () -> island);
    }
}
