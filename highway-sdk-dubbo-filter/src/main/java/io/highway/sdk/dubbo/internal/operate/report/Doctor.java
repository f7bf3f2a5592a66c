// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.highway.sdk.dubbo.HighwayProbe;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.background.BackgroundTasks;
import io.highway.sdk.dubbo.internal.background.BackgroundTasks.RepeatedTask;
import io.highway.sdk.dubbo.internal.policy.DoctorMode;
import io.highway.sdk.dubbo.internal.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * Probes every configured island after start-up, if {@code highway.doctor} asks for it, in the background: one line per
 * island. With {@code fail} the application is not ready until each island has answered once; it is probed again
 * until then, or until a new policy leaves it out. An island that stops answering later, or that a new policy adds,
 * changes nothing. Thread-safe.
 */
public final class Doctor {

    private static final Logger log = LoggerFactory.getLogger(Doctor.class);
    private static final long PAUSE_MILLIS = 5_000;

    private final ApplicationModel application;
    private @Nullable RepeatedTask task;
    private @Nullable Runnable whenReady;
    private volatile boolean stopped;
    private volatile boolean passed;

    /** The islands that have not answered yet; null before the first probe. Used by the task only. */
    private @Nullable Set<String> unreachable;

    /** Called by Dubbo's bean factory; use {@link #of}. */
    public Doctor(ApplicationModel application) {
        this.application = application;
    }

    /** The doctor of an application. */
    public static Doctor of(ApplicationModel application) {
        return application.getBeanFactory().getOrRegisterBean(Doctor.class);
    }

    private DoctorMode mode() {
        HighwayRuntime runtime = application.getBeanFactory().getBean(HighwayRuntime.class);
        Policy policy = runtime == null ? null : runtime.policyIfRead();
        return policy == null ? DoctorMode.NONE : policy.doctoring();
    }

    /** Whether the application may take traffic; true without {@code highway.doctor=fail}. */
    public boolean isReady() {
        return passed || mode() != DoctorMode.FAIL;
    }

    /** Runs a short task as soon as it is ready, at once if it is; the last one wins. */
    public void whenReady(Runnable ready) {
        synchronized (this) {
            whenReady = ready;
            if (!passed) {
                return;
            }
        }
        ready.run();
    }

    /** The application has started. Returns at once. */
    public synchronized void started() {
        DoctorMode mode = mode();
        if (mode == DoctorMode.NONE || task != null || stopped) {
            return;
        }
        task = BackgroundTasks.of(application).repeat(() -> examine(mode));
        task.runSoon();
    }

    /** The application is stopping. */
    public synchronized void stopped() {
        stopped = true;
        if (task != null) {
            task.close();
        }
    }

    private long examine(DoctorMode mode) {
        try {
            Set<String> left = probe(unreachable, mode);
            unreachable = left;
            if (stopped) {
                return RepeatedTask.ON_REQUEST;
            }
            if (mode == DoctorMode.FAIL && !left.isEmpty()) {
                return PAUSE_MILLIS;
            }
            pass();
        } catch (RuntimeException | Error e) {
            if (!stopped) {
                log.warn("highway: doctor: the islands could not be probed: " + e, e);
                if (mode == DoctorMode.FAIL) {
                    return PAUSE_MILLIS;
                }
            }
        }
        return RepeatedTask.ON_REQUEST;
    }

    /**
     * Probes these islands, or the first time all; reports those that answer now, the first time each. Returns those that
     * do not answer.
     */
    private Set<String> probe(@Nullable Set<String> islands, DoctorMode mode) {
        Set<String> left = new TreeSet<>(islands == null ? Set.of() : islands);
        List<HighwayProbe> found = islands == null ? HighwayProbe.run(application) : again(left);
        Map<String, List<HighwayProbe>> probes =
                found.stream().collect(groupingBy(HighwayProbe::island, TreeMap::new, toList()));
        probes.forEach((island, ofIsland) -> { // one for each pattern of services with separate gateways
            boolean isReachable = ofIsland.stream().allMatch(HighwayProbe::reachable);
            boolean isChanged = isReachable ? left.remove(island) : left.add(island);
            if ((isChanged || islands == null) && !stopped) {
                ofIsland.forEach(probe -> report(probe, mode));
            }
        });
        return left;
    }

    /** Probes these islands without those that a new policy leaves out, which nothing waits for any more. */
    private List<HighwayProbe> again(Set<String> islands) {
        Policy policy = HighwayRuntime.of(application).policy();
        islands.retainAll(policy.knownIslands());
        try {
            return islands.isEmpty() ? List.of() : HighwayProbe.run(application, islands.toArray(String[]::new));
        } catch (IllegalArgumentException e) { // the policy has just changed
            return List.of();
        }
    }

    private void pass() {
        Runnable ready;
        synchronized (this) {
            passed = true;
            ready = whenReady;
        }
        if (ready != null) {
            ready.run();
        }
    }

    private static void report(HighwayProbe probe, DoctorMode mode) {
        String line = "highway: doctor: island " + probe.island() + ": " + HighwayProbeCommand.summary(probe);
        if (isFine(probe.endpoints())) {
            log.info(line);
        } else if (probe.reachable() || mode == DoctorMode.WARN) {
            log.warn(line);
        } else {
            log.error(line + "; the application is not ready until it answers (highway.doctor=fail)");
        }
    }

    private static boolean isFine(List<HighwayProbe.Endpoint> endpoints) {
        return !endpoints.isEmpty()
                && endpoints.stream().allMatch(endpoint -> endpoint.result() == HighwayProbe.Result.OK);
    }
}
