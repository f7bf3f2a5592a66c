// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.qos.probe.ReadinessProbe;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** Lets Dubbo's QoS command {@code ready} answer false while {@code highway.doctor=fail} waits for an island. */
@Activate
public final class HighwayReadinessProbe implements ReadinessProbe {

    private final FrameworkModel framework;

    /** Called by Dubbo. */
    public HighwayReadinessProbe(FrameworkModel framework) {
        this.framework = framework;
    }

    @Override
    public boolean check() {
        return framework.getApplicationModels().stream()
                .allMatch(application -> Doctor.of(application).isReady());
    }
}
