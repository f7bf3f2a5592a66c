// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.springboot.sms;

import org.apache.dubbo.config.spring.context.annotation.EnableDubbo;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Runs once in each island, with the island as its profile, see {@code sms.yml}. */
@SpringBootApplication
@EnableDubbo
public class SmsApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(SmsApplication.class, arguments);
    }
}
