// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring.order;

import org.apache.dubbo.config.spring.context.annotation.EnableDubbo;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application at home, in two processes; see {@code order.yml}. */
@SpringBootApplication
@EnableDubbo
public class OrderApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(OrderApplication.class, arguments);
    }
}
