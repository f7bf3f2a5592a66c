// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways.springcloud;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** One gateway; its routes are in {@code http.yml}. */
@SpringBootApplication(proxyBeanMethods = false)
public class SpringCloudGateway {

    /** Runs until the process is ended. */
    public static void main(String[] arguments) {
        SpringApplication.run(SpringCloudGateway.class, arguments);
    }
}
