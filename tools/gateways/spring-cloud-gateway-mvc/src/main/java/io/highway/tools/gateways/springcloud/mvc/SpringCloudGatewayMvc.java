// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways.springcloud.mvc;

import java.net.http.HttpClient.Version;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.http.client.ClientHttpRequestFactoryBuilderCustomizer;
import org.springframework.boot.http.client.JdkClientHttpRequestFactoryBuilder;
import org.springframework.context.annotation.Bean;

/** One gateway; its routes are in {@code http.yml}. */
@SpringBootApplication(proxyBeanMethods = false)
public class SpringCloudGatewayMvc {

    /** Runs until the process is ended. */
    public static void main(String[] arguments) {
        SpringApplication.run(SpringCloudGatewayMvc.class, arguments);
    }

    /** Else each call has {@code Upgrade: h2c}, and a provider may leave the connection to Dubbo's own HTTP/1.1. */
    @Bean
    ClientHttpRequestFactoryBuilderCustomizer<JdkClientHttpRequestFactoryBuilder> withoutUpgrade() {
        return builder -> builder.withHttpClientCustomizer(client -> client.version(Version.HTTP_1_1));
    }
}
