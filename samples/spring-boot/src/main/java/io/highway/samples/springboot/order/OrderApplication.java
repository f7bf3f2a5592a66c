// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.springboot.order;

import io.highway.sdk.IslandResolver;
import java.util.Map;
import org.apache.dubbo.config.spring.context.annotation.EnableDubbo;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
@EnableDubbo
public class OrderApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(OrderApplication.class, arguments);
    }

    /** Which island a dialling code means; other keys are left to {@code highway.islands.<id>.keys}. */
    @Bean
    IslandResolver diallingCodes() {
        return Map.of("021", "shanghai", "010", "beijing")::get;
    }
}
