// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.policy;

import org.apache.dubbo.config.annotation.DubboReference;
import org.apache.dubbo.config.spring.context.annotation.EnableDubbo;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application at home, as a user writes it with Spring Boot: see {@code application.yml}. */
@SpringBootApplication
@EnableDubbo
@RestController
public class ReportsApplication {

    @SuppressWarnings("NullAway.Init") // Dubbo sets it
    @DubboReference(check = false)
    private Place places;

    public static void main(String[] arguments) {
        SpringApplication.run(ReportsApplication.class, arguments);
    }

    @GetMapping("/where")
    String where() {
        return places.where();
    }
}
