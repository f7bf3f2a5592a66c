// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.hello;

import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;

/** Runs in shanghai. */
public final class Provider implements GreetingService {

    @Override
    public String greet(String name) {
        return "Hello " + name + ", this is shanghai";
    }

    public static void main(String[] arguments) {
        ServiceConfig<GreetingService> service = new ServiceConfig<>();
        service.setInterface(GreetingService.class);
        service.setRef(new Provider());
        DubboBootstrap.getInstance().service(service).start().await();
    }
}
