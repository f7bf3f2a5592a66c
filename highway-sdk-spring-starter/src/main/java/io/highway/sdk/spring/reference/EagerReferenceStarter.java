// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.reference;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.dubbo.common.deploy.ModuleDeployer;
import org.apache.dubbo.config.ModuleConfig;
import org.apache.dubbo.config.ReferenceConfigBase;
import org.apache.dubbo.config.context.ModuleConfigManager;
import org.apache.dubbo.rpc.model.ModuleModel;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.Ordered;

/**
 * Starts and checks every reference with the application. Dubbo does so only for the first reference of a service: its
 * deployer keeps one per group, interface and version, and would start a second one, for another island, at its first
 * call.
 */
public record EagerReferenceStarter(ApplicationContext context, ModuleModel module)
        implements ApplicationListener<ContextRefreshedEvent>, Ordered {

    private static final long CHECK_MILLIS = 30_000; // as Dubbo's default

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE; // Dubbo's listener has the same order; the first one starts the references
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        if (event.getApplicationContext() != context) {
            return;
        }
        ModuleDeployer deployer = module.getDeployer();
        Future<?> started = deployer.start();
        if (deployer.isBackground()) {
            return; // the application does not wait for references
        }
        try {
            started.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        } catch (ExecutionException | CancellationException e) {
            return; // Dubbo reports the problem
        }
        ModuleConfigManager configs = module.getConfigManager();
        long checkMillis =
                configs.getModule().map(ModuleConfig::getCheckReferenceTimeout).orElse(CHECK_MILLIS);
        for (ReferenceConfigBase<?> reference : configs.getReferences()) {
            if (reference.shouldInit() && !reference.shouldReferAsync()) {
                reference.get(false);
                reference.checkOrDestroy(checkMillis);
            }
        }
    }
}
