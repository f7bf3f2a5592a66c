// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.hellospringboot.shanghai;

import io.highway.samples.hellospringboot.GreetingService;
import org.apache.dubbo.config.annotation.DubboService;

@DubboService
class Greetings implements GreetingService {

    @Override
    public String greet(String name) {
        return "Hello " + name + ", this is shanghai";
    }
}
