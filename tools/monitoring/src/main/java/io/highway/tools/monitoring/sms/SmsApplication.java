// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring.sms;

import org.apache.dubbo.config.spring.context.annotation.EnableDubbo;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The provider of texts in shanghai; see {@code sms.yml}. */
@SpringBootApplication
@EnableDubbo
public class SmsApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(SmsApplication.class, arguments);
    }
}
