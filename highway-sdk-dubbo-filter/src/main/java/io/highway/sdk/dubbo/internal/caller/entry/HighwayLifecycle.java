// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.entry;

import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.operate.report.StartupProbe;
import org.apache.dubbo.common.deploy.AbstractDeployer;
import org.apache.dubbo.common.deploy.ApplicationDeployListener;
import org.apache.dubbo.common.deploy.DeployListenerAdapter;
import org.apache.dubbo.common.deploy.ModuleDeployer;
import org.apache.dubbo.config.ReferenceConfigBase;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.ModuleModel;

/**
 * Probes islands after start-up if configured. Stops following the policy and reconnecting when an application stops,
 * before Dubbo closes its connections, and writes the rest of the audit trail afterwards.
 */
public final class HighwayLifecycle extends DeployListenerAdapter<ApplicationModel>
        implements ApplicationDeployListener {

    @Override
    public void onStarted(ApplicationModel application) {
        HighwayRuntime.of(application).started();
        StartupProbe.of(application).started();
    }

    @Override
    public void onStopping(ApplicationModel application) {
        StartupProbe.of(application).stopped();
        HighwayRuntime.of(application).stopping();
    }

    @Override
    public void onStopped(ApplicationModel application) {
        HighwayRuntime.of(application).stopped();
    }

    @Override
    public void onFailure(ApplicationModel application, Throwable cause) {
        if (!startsInBackground(application) && !hasStartedModule(application)) {
            HighwayRuntime.of(application).failed();
        }
    }

    /** Such an application goes on with the references that it has. */
    private static boolean startsInBackground(ApplicationModel application) {
        return application.getModuleModels().stream()
                .anyMatch(module -> isBackground(module.getDeployer())
                        || module.getConfigManager().getReferences().stream()
                                .anyMatch(ReferenceConfigBase::shouldReferAsync)
                        || module.getConfigManager().getServices().stream()
                                .anyMatch(service -> service.shouldExportAsync()));
    }

    /** A module that has failed leaves the others running. */
    private static boolean hasStartedModule(ApplicationModel application) {
        return application.getPubModuleModels().stream()
                .map(ModuleModel::getDeployer)
                .anyMatch(deployer -> deployer != null && deployer.isStarted());
    }

    /** Dubbo unboxes null in a module that has failed before it was initialized. */
    private static boolean isBackground(ModuleDeployer deployer) {
        return deployer instanceof AbstractDeployer<?> known && known.isInitialized() && deployer.isBackground();
    }
}
