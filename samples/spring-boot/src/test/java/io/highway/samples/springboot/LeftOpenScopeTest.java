// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayContext;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A scope that a request opens and does not close, with one thread for all requests. */
@Tag("network")
class LeftOpenScopeTest {

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    static class Forgetful {

        @GetMapping("/open")
        String open() {
            Highway.to("shanghai").open();
            return present();
        }

        @GetMapping("/open-later")
        Callable<String> openLater() {
            Highway.to("shanghai").open();
            return () -> "later";
        }

        @GetMapping("/fail")
        String fail() {
            Highway.to("shanghai").open();
            throw new IllegalStateException("as it should");
        }

        @GetMapping("/present")
        String present() {
            return String.valueOf(HighwayContext.capture().route());
        }
    }

    private final HttpClient http = HttpClient.newHttpClient();

    private String get(String port, String path) throws Exception {
        URI address = URI.create("http://localhost:" + port + path);
        return http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
                .body();
    }

    @Test
    void endsWithTheRequest() throws Exception {
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Forgetful.class)
                .properties(
                        "server.port=0",
                        "server.tomcat.threads.max=1",
                        "spring.application.name=forgetful",
                        "dubbo.application.qos-enable=false",
                        "dubbo.registry.address=N/A",
                        "dubbo.protocol.port=-1",
                        "highway.island=zhejiang",
                        "highway.gateways.dubbo=gateway.zhejiang.test:1")
                .run()) {
            String port = application.getEnvironment().getProperty("local.server.port");

            assertThat(get(port, "/open")).isEqualTo("shanghai");
            assertThat(get(port, "/present")).as("the next request").isEqualTo("null");
            assertThat(get(port, "/open-later")).isEqualTo("later");
            assertThat(get(port, "/present")).as("after an asynchronous one").isEqualTo("null");
            get(port, "/fail");
            assertThat(get(port, "/present")).as("after a failure").isEqualTo("null");
        }
    }
}
