// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import io.highway.sdk.dubbo.HighwayProbe;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.background.BackgroundTasks;
import io.highway.sdk.dubbo.internal.background.BackgroundTasks.RepeatedTask;
import io.highway.sdk.dubbo.internal.policy.Policy;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * Probes every configured island once after start-up, if {@code highway.doctor} asks for it, in the background: one line per
 * island. Thread-safe.
 */
public final class StartupProbe {

    private static final Logger log = LoggerFactory.getLogger(StartupProbe.class);

    private final ApplicationModel application;
    private @Nullable RepeatedTask task;
    private volatile boolean stopped;

    /** Called by Dubbo's bean factory; use {@link #of}. */
    public StartupProbe(ApplicationModel application) {
        this.application = application;
    }

    /** The doctor of an application. */
    public static StartupProbe of(ApplicationModel application) {
        return application.getBeanFactory().getOrRegisterBean(StartupProbe.class);
    }

    /** The application has started. Returns at once. */
    public synchronized void started() {
        HighwayRuntime runtime = application.getBeanFactory().getBean(HighwayRuntime.class);
        Policy policy = runtime == null ? null : runtime.policyIfRead();
        if (policy != null && policy.probesIslands() && task == null && !stopped) {
            task = BackgroundTasks.of(application).repeat(this::probe);
            task.runSoon();
        }
    }

    /** The application is stopping. */
    public synchronized void stopped() {
        stopped = true;
        if (task != null) {
            task.close();
        }
    }

    private long probe() {
        try {
            HighwayProbe.run(application).forEach(this::report);
        } catch (RuntimeException | Error e) {
            if (!stopped) {
                log.warn("highway: doctor: the islands could not be probed: " + e, e);
            }
        }
        return RepeatedTask.ON_REQUEST;
    }

    private void report(HighwayProbe probe) {
        String line = "highway: doctor: island " + probe.island() + ": " + HighwayProbeCommand.summary(probe);
        boolean isFine = !probe.endpoints().isEmpty()
                && probe.endpoints().stream().allMatch(endpoint -> endpoint.result() == HighwayProbe.Result.OK);
        if (stopped) {
            return;
        }
        if (isFine) {
            log.info(line);
        } else {
            log.warn(line);
        }
    }
}
