// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.application;

import io.highway.sdk.dubbo.internal.application.RoutedReferences.RoutedReference;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecider;
import io.highway.sdk.dubbo.internal.caller.route.ServiceInterfaceResolver;
import io.highway.sdk.dubbo.internal.policy.GuardWarnings;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyWarnings;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.dubbo.common.config.ConfigurationUtils;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.ProviderModel;
import org.jspecify.annotations.Nullable;

/** The warnings of one application about its configuration: each is logged once. Thread-safe. */
public final class ApplicationWarnings {

    private static final Logger log = LoggerFactory.getLogger(ApplicationWarnings.class);

    /** The references that one line names; the list of all may be long. */
    private static final int MOST_NAMED = 20;

    private static final String BUILT_IN = "dubbo.tri.builtin.service.init";

    private final ApplicationModel application;
    private final RoutedReferences references;

    /** References that ask for an island although {@code highway.enabled} is false, until the one warning lists them. */
    private final Set<String> ignored = new LinkedHashSet<>();

    /** The warnings that have been logged. */
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    private boolean started;

    ApplicationWarnings(ApplicationModel application, RoutedReferences references) {
        this.application = application;
        this.references = references;
    }

    /**
     * Records something that asks for an island although {@code highway.enabled} is false. One warning at the end of
     * start-up lists all of them.
     *
     * @param what its name and intent, such as
     *     {@code reference to com.foo.SmsService: island "shanghai" (from interface)}
     */
    public void ignored(String what) {
        synchronized (ignored) {
            if (!ignored.add(what) || !started) {
                return;
            }
        }
        warnOfIgnored(what);
    }

    /**
     * The application has started: logs ignored requests for islands, misspelt interfaces, and a configuration that may be
     * another island's, once.
     */
    void started(@Nullable RawSettings configured, @Nullable Policy policy) {
        String all;
        synchronized (ignored) {
            if (started) {
                return;
            }
            started = true;
            all = String.join("; ", ignored);
        }
        if (!all.isEmpty()) {
            warnOfIgnored(all);
        }
        if (configured != null && policy != null) {
            UnknownServiceWarnings.of(
                            configured,
                            ServiceInterfaceResolver.usedBy(application),
                            name -> ServiceInterfaceResolver.exists(name, application))
                    .forEach(this::once);
            warnIfAllAreHome(policy.home());
            warnOfBuiltInServices(policy);
        }
    }

    /** Dubbo exports them by itself, so that no wrapper of a protocol sees them. */
    private void warnOfBuiltInServices(Policy policy) {
        boolean isGuarded =
                policy.guard().restrictsIngress() || policy.signing().isDemanded();
        if (isGuarded && ConfigurationUtils.getGlobalConfiguration(application).getBoolean(BUILT_IN, false)) {
            once(BUILT_IN
                    + " is true: Dubbo serves gRPC's Health and ServerReflection to every peer of the Triple port,"
                    + " without the guard; remove it, or let gateways refuse these services");
        }
    }

    /** The configuration of another island may have been copied: every {@code @Island} names this one. */
    private void warnIfAllAreHome(String home) {
        Set<String> annotated = references.all().stream()
                .flatMap(reference -> reference.intents().declaredUnconfigured())
                .flatMap(intent -> Stream.ofNullable(intent.asked()))
                .collect(Collectors.toSet());
        if (annotated.equals(Set.of(home))) {
            once("every @Island and highway-island parameter of this application's references names \"" + home
                    + "\", which is home (highway.island), so their calls stay home");
        }
    }

    /** Logs a configuration problem, once per application. */
    public void once(String problem) {
        if (warned.add(problem)) {
            log.warn("highway: " + problem);
        }
    }

    void ofLostScope(String opener) {
        once("the scope that " + opener + " opened was not closed, and other calls of its thread go to its island;"
                + " close what Highway.to(..).open() returns, by try-with-resources, or use call or run");
    }

    private static void warnOfIgnored(String what) {
        log.warn("highway: off (highway.enabled=false), so home serves calls that ask for an island: " + what);
    }

    /** The warnings of a policy by itself. */
    void of(Policy policy) {
        new PolicyWarnings(policy).ofKeys().forEach(this::once);
        GuardWarnings.of(policy.guard(), policy.signing()).forEach(this::once);
    }

    /** The warnings that a reference causes when it starts. */
    void ofReferences(Policy next) {
        Set<String> lost = new TreeSet<>();
        PolicyWarnings patterns = new PolicyWarnings(next);
        for (RoutedReference<?> reference : references.all()) {
            String name = reference.getUrl().getServiceInterface();
            reference
                    .intents()
                    .declared(next)
                    .filter(intent -> RouteDecider.hopeless(intent, name, next) != null)
                    .forEach(intent -> lost.add(name + ": " + intent));
            Class<?> type = ServiceInterfaceResolver.of(reference);
            if (type != null) {
                patterns.ofPatterns(name, type).forEach(this::once);
            }
        }
        if (!lost.isEmpty()) {
            log.warn("highway: policy " + next.version() + " refuses every call of these references (" + lost.size()
                    + "): " + lost.stream().limit(MOST_NAMED).collect(Collectors.joining("; ")));
        }
    }

    /** The warnings that a service causes when it starts. */
    void ofServices(Policy next) {
        for (ProviderModel service :
                application.getApplicationServiceRepository().allProviderModels()) {
            Class<?> type = service.getServiceInterfaceClass();
            if (type != null && !service.getModuleModel().isInternal()) {
                GuardWarnings.of(next.guard(), service.getServiceMetadata().getServiceInterfaceName(), type)
                        .forEach(this::once);
            }
        }
    }
}
