// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.hellospringboot.zhejiang;

import io.highway.samples.hellospringboot.GreetingService;
import io.highway.sdk.Island;
import org.apache.dubbo.config.annotation.DubboReference;
import org.springframework.boot.CommandLineRunner;
import org.springframework.stereotype.Component;

@Component
class Greeter implements CommandLineRunner {

    @DubboReference
    @Island("shanghai")
    private GreetingService greetings; // every call of it goes to shanghai; home needs no provider

    @Override
    public void run(String... arguments) {
        System.out.println(greetings.greet("zhejiang"));
    }
}
