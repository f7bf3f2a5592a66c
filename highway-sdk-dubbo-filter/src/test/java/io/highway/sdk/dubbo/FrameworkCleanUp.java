// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.time.Duration;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Ends what a test class leaves behind in Dubbo. An invocation without a service model creates the default framework
 * model, and Dubbo takes the oldest one alive for every URL without a model: later tests would read its allow list. And it
 * makes tests look every 10 ms for what they wait for: Awaitility first looks after 100 ms, thousands of times.
 */
public final class FrameworkCleanUp implements AfterAllCallback {

    static {
        Awaitility.setDefaultPollInterval(Duration.ofMillis(10));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        FrameworkModel.destroyAll();
    }
}
