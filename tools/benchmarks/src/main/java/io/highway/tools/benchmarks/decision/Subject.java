// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.decision;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.HighwayRoute;
import io.highway.sdk.dubbo.internal.caller.entry.HighwayCluster;
import io.highway.tools.benchmarks.calls.StubCluster;
import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.constants.RegistryConstants;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.cluster.directory.StaticDirectory;

/** One scenario, ready to be called. */
final class Subject implements AutoCloseable {

    private static final String DOOR = "io.highway.sdk.dubbo.internal.caller.entry.HighwayClusterInvoker";

    private static final HighwayRoute ROUTE = Highway.to(HomeApplication.HOME);
    private static final Class<?>[] TYPES = {String.class, String.class};
    private static final String ZONE = "hangzhou";

    private final Scenario scenario;
    private final HomeApplication application;
    private final Call call;

    /** A call that has been prepared. */
    private interface Call {
        Result make();
    }

    /** Builds what is called, and makes one call. */
    Subject(Scenario scenario) {
        this.scenario = scenario;
        this.application = new HomeApplication(keys());
        this.call = prepare();
        call();
    }

    /** Makes a call, and sees that it was answered at home. */
    Object call() {
        Object answer = call.make().getValue();
        if (answer != StubInvoker.ANSWER) {
            throw new IllegalStateException("answered with " + answer);
        }
        return answer;
    }

    @Override
    public void close() {
        application.close();
    }

    /** Of the SDK; switched off where it is not to be there. */
    private Map<String, String> keys() {
        Map<String, String> keys = new HashMap<>();
        if (scenario.hasSdk()) {
            keys.putAll(HomeApplication.twoIslands());
        } else {
            keys.put("highway.enabled", "false");
        }
        if (scenario == Scenario.CONFIGURATION) {
            keys.put("highway.services." + Reports.Plain.class.getName() + ".island", HomeApplication.HOME);
        }
        return keys;
    }

    private Call prepare() {
        return switch (scenario) {
            case ABSENT, HOME, CONFIGURATION -> plain(Reports.Plain.class, Map.of());
            case ATTACHMENT, SCOPE -> asking(plain(Reports.Plain.class, Map.of()));
            case KEY -> plain(Reports.Keyed.class, Map.of());
            case METHOD -> plain(Reports.OnMethod.class, Map.of());
            case REFERENCE -> plain(Reports.Plain.class, Map.of(HighwayAttachments.ISLAND, HomeApplication.HOME));
            case INTERFACE -> plain(Reports.OnInterface.class, Map.of());
            case FIVE_PROVIDERS, TAG_ROUTER -> tagged();
            case ONE_REGISTRY, ZONE_AWARE -> zoned();
            case DOOR_ABSENT, DOOR_HOME -> door(Reports.Plain.class);
            case DOOR_OTHER_METHOD -> door(Reports.OnOtherMethod.class);
        };
    }

    private Call plain(Class<?> service, Map<String, String> parameters) {
        Invoker<?> cluster = application.cluster(application.directory(service, parameters));
        requireClusterInvoker(cluster);
        return () -> cluster.invoke(fresh(service));
    }

    /** What the caller does for the call before it, or around it. */
    private Call asking(Call plain) {
        return switch (scenario) {
            case ATTACHMENT ->
                () -> {
                    RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, HomeApplication.HOME);
                    return plain.make();
                };
            case SCOPE -> () -> ROUTE.call(plain::make);
            default -> plain;
        };
    }

    private Call tagged() {
        boolean router = scenario == Scenario.TAG_ROUTER;
        StaticDirectory<?> directory = application.behindRouters(Reports.Plain.class, router ? "" : "-tag");
        Invoker<?> cluster = application.cluster(directory);
        Call tagged = () -> {
            RpcInvocation invocation = fresh(Reports.Plain.class);
            invocation.setAttachment(CommonConstants.TAG_KEY, HomeApplication.TAG);
            return cluster.invoke(invocation);
        };
        RpcInvocation asked = fresh(Reports.Plain.class);
        asked.setAttachment(CommonConstants.TAG_KEY, HomeApplication.TAG);
        int chosen = directory.list(asked).size();
        if (chosen != (router ? HomeApplication.TAGGED : HomeApplication.PROVIDERS)) {
            throw new IllegalStateException(scenario + " chose " + chosen + " providers");
        }
        return tagged;
    }

    private Call zoned() {
        Invoker<?> cluster = scenario == Scenario.ZONE_AWARE
                ? application.overRegistries(Reports.Plain.class, ZONE, "ningbo")
                : application.cluster(application.directory(Reports.Plain.class, Map.of("zone", ZONE)));
        return () -> {
            RpcContext.getClientAttachment().setAttachment(RegistryConstants.REGISTRY_ZONE, ZONE);
            return cluster.invoke(fresh(Reports.Plain.class));
        };
    }

    private Call door(Class<?> service) {
        Invoker<?> cluster = new HighwayCluster(new StubCluster(new AppResponse(StubInvoker.ANSWER)))
                .join(application.directory(service, Map.of()), true);
        requireClusterInvoker(cluster);
        Invocation reused = fresh(service);
        return () -> cluster.invoke(reused);
    }

    private void requireClusterInvoker(Invoker<?> cluster) {
        if (cluster.getClass().getName().equals(DOOR) != scenario.hasSdk()) {
            throw new IllegalStateException(scenario + " calls " + cluster.getClass());
        }
    }

    /** As Dubbo's proxies make it for every call. */
    private static RpcInvocation fresh(Class<?> service) {
        return new RpcInvocation(
                null, "file", service.getName(), service.getName(), TYPES, new Object[] {HomeApplication.HOME, "42"});
    }
}
