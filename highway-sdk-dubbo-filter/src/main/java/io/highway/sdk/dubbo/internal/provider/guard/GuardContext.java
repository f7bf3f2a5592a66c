// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.background.BackgroundTasks;
import io.highway.sdk.dubbo.internal.policy.GuardPolicy;
import io.highway.sdk.dubbo.internal.signature.DuplicateRequestFilter;
import java.util.List;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/** The state of the guard of one application. Thread-safe. */
final class GuardContext {

    private final BackgroundTasks tasks;
    private final CallerRateLimiter rates = new CallerRateLimiter(System::nanoTime);
    private final GuardReporter reports = new GuardReporter(System::nanoTime);

    private final DuplicateRequestFilter served;
    private volatile @Nullable ResolvedGateways names;

    /** The rates of rules that a new policy keeps go on. */
    private GuardContext(HighwayRuntime runtime) {
        tasks = BackgroundTasks.of(runtime.application());
        served = DuplicateRequestFilter.of(runtime.application().getFrameworkModel());
        runtime.onSwap(policy -> rates.retain(policy.guard().rules()));
    }

    /** The state of an application. */
    static GuardContext of(ApplicationModel application) {
        return application
                .getBeanFactory()
                .getOrRegisterBean(GuardContext.class, type -> new GuardContext(HighwayRuntime.of(application)));
    }

    /** The rates of the rules. */
    CallerRateLimiter rates() {
        return rates;
    }

    /** The requests over HTTP that ran, of all applications of the process. */
    DuplicateRequestFilter served() {
        return served;
    }

    GuardReporter reports() {
        return reports;
    }

    /**
     * The resolved names of gateways, or null if the policy has none; the first use starts to resolve them. No policy has
     * others: only the static configuration has them.
     */
    @Nullable
    ResolvedGateways names(GuardPolicy policy) {
        ResolvedGateways known = names;
        return known != null || policy.gatewayNames().isEmpty() ? known : start(policy.gatewayNames());
    }

    private synchronized ResolvedGateways start(List<String> configured) {
        ResolvedGateways started = names;
        if (started == null) {
            started = ResolvedGateways.start(configured, tasks);
            names = started;
        }
        return started;
    }
}
