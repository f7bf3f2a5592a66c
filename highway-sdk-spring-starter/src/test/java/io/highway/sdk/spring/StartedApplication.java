// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import java.util.Arrays;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** The application of {@link FailureAnalysisTest}, in a separate JVM: the first argument names its beans. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class StartedApplication {

    static final String STARTED = "the application has started";

    public static void main(String[] arguments) throws ClassNotFoundException {
        String[] properties = Arrays.copyOfRange(arguments, 1, arguments.length);
        SpringApplication.run(new Class<?>[] {StartedApplication.class, Class.forName(arguments[0])}, properties)
                .close();
        System.out.println(STARTED);
    }
}
