// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.hello;

import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;

/** Runs in zhejiang, which has no provider of the service. */
public final class Consumer {

    public static void main(String[] arguments) {
        ReferenceConfig<GreetingService> reference = new ReferenceConfig<>();
        reference.setInterface(GreetingService.class);
        DubboBootstrap dubbo = DubboBootstrap.getInstance().reference(reference).start();

        GreetingService greetings = reference.get();
        System.out.println(greetings.greet("zhejiang"));
        dubbo.stop();
    }
}
