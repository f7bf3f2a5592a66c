// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.decision;

import io.highway.samples.benchmarks.calls.StubCluster;
import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.HighwayRoute;
import io.highway.sdk.dubbo.HighwayCluster;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.constants.RegistryConstants;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.cluster.directory.StaticDirectory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One call that stays home. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH sets what the constructor does not
public class HomeCall {

    private static final String DOOR = "io.highway.sdk.dubbo.HighwayClusterInvoker";

    private static final HighwayRoute ROUTE = Highway.to(HomeApplication.HOME);
    private static final Class<?>[] TYPES = {String.class, String.class};
    private static final String ZONE = "hangzhou";

    /** Set by JMH. */
    @Param
    public Scenario scenario;

    private HomeApplication application;
    private Call call;

    /** A call that has been prepared. */
    private interface Call {
        Result make();
    }

    /** Builds what is called, and makes one call. */
    @Setup
    public void setUp() {
        call = prepare();
        call();
    }

    /** Makes a call while it is counted what that allocates. */
    @Benchmark
    public Object call(Allocated counted) {
        return call();
    }

    /** Makes a call, and sees that it was answered at home. */
    private Object call() {
        Object answer = call.make().getValue();
        if (answer != StubInvoker.ANSWER) {
            throw new IllegalStateException("answered with " + answer);
        }
        return answer;
    }

    /** Ends the application. */
    @TearDown
    public void tearDown() {
        application.close();
    }

    private Call prepare() {
        return switch (scenario) {
            case ABSENT -> absent();
            case HOME, ATTACHMENT, SCOPE -> asking(home(Reports.Plain.class, Map.of(), Map.of()));
            case KEY -> home(Reports.Keyed.class, Map.of(), Map.of());
            case METHOD -> home(Reports.OnMethod.class, Map.of(), Map.of());
            case REFERENCE ->
                home(Reports.Plain.class, Map.of(), Map.of(HighwayAttachments.ISLAND, HomeApplication.HOME));
            case INTERFACE -> home(Reports.OnInterface.class, Map.of(), Map.of());
            case CONFIGURATION ->
                home(
                        Reports.Plain.class,
                        Map.of("highway.services." + Reports.Plain.class.getName() + ".island", HomeApplication.HOME),
                        Map.of());
            case FIVE_PROVIDERS, TAG_ROUTER -> tagged();
            case ONE_REGISTRY, ZONE_AWARE -> zoned();
            case DOOR_ABSENT -> door(Map.of(), false);
            case DOOR_HOME -> door(HomeApplication.twoIslands(), true);
        };
    }

    private Call absent() {
        application = new HomeApplication(Map.of());
        Invoker<?> cluster = application.cluster(application.directory(Reports.Plain.class, Map.of()));
        requireDoor(cluster, false);
        return () -> cluster.invoke(fresh(Reports.Plain.class));
    }

    private Call home(Class<?> service, Map<String, String> more, Map<String, String> parameters) {
        Map<String, String> keys = new HashMap<>(HomeApplication.twoIslands());
        keys.putAll(more);
        application = new HomeApplication(keys);
        Invoker<?> cluster = application.cluster(application.directory(service, parameters));
        requireDoor(cluster, true);
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
        application = new HomeApplication(Map.of());
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
        application = new HomeApplication(Map.of());
        Invoker<?> cluster = scenario == Scenario.ZONE_AWARE
                ? application.overRegistries(Reports.Plain.class, ZONE, "ningbo")
                : application.cluster(application.directory(Reports.Plain.class, Map.of("zone", ZONE)));
        return () -> {
            RpcContext.getClientAttachment().setAttachment(RegistryConstants.REGISTRY_ZONE, ZONE);
            return cluster.invoke(fresh(Reports.Plain.class));
        };
    }

    private Call door(Map<String, String> keys, boolean there) {
        application = new HomeApplication(keys);
        Invoker<?> cluster = new HighwayCluster(new StubCluster(new AppResponse(StubInvoker.ANSWER)))
                .join(application.directory(Reports.Plain.class, Map.of()), true);
        requireDoor(cluster, there);
        Invocation reused = fresh(Reports.Plain.class);
        return () -> cluster.invoke(reused);
    }

    private void requireDoor(Invoker<?> cluster, boolean there) {
        if (cluster.getClass().getName().equals(DOOR) != there) {
            throw new IllegalStateException(scenario + " calls " + cluster.getClass());
        }
    }

    /** As Dubbo's proxies make it for every call. */
    private static RpcInvocation fresh(Class<?> service) {
        return new RpcInvocation(
                null, "file", service.getName(), service.getName(), TYPES, new Object[] {HomeApplication.HOME, "42"});
    }
}
