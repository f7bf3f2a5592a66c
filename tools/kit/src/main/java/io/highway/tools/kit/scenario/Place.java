// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit.scenario;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.HighwayReport.Endpoint;
import io.highway.tools.kit.scenario.Scenario.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.service.GenericService;

/** Home zhejiang, which calls the island shanghai. */
interface Place extends AutoCloseable {

    Duration TIMEOUT = Duration.ofSeconds(1);

    /** More than that. */
    Duration LATE = Duration.ofSeconds(2);

    Duration POLL = Duration.ofMillis(5);

    /** The keys of the application that calls, in every place; a slow first call must not change the tunnel. */
    Map<String, String> KEYS = Map.of(
            "highway.islands.shanghai.timeout", TIMEOUT.toMillis() + "ms", "highway.islands.shanghai.tunnel", "triple");

    /** Makes what follows fail, and returns how many calls that took. */
    int make(Fault fault) throws Exception;

    Desk desk();

    GenericService generic();

    ApplicationModel application();

    List<CallOutcome> outcomes();

    @Override
    void close();

    /** Makes the call of a scenario, and describes everything that a program can see of it. */
    default String see(Scenario scenario) throws Exception {
        int earlier = warmUp() + make(scenario.fault());
        List<CallOutcome> unused = outcomes(earlier);
        String result;
        try {
            result = String.valueOf(scenario.call().in(this));
        } catch (Exception e) {
            result = text(e);
        }
        List<CallOutcome> ended = outcomes(earlier + 1).stream().skip(earlier).toList();
        List<String> outcomes = ended.stream()
                .map(one -> one.outcome() + " " + one.reason() + " " + one.tunnel() + " " + one.servedAtHome())
                .toList();
        return result + "; outcomes " + outcomes + "; breakers open " + openBreakers() + "; meters "
                + Meters.of(application(), ended);
    }

    /** The outcomes so far: at least so many; the outcome of a call that timed out is there after its exception. */
    private List<CallOutcome> outcomes(int calls) {
        while (outcomes().size() < calls) {
            LockSupport.parkNanos(POLL.toNanos());
        }
        return outcomes();
    }

    /** Classes are loaded and connections are up. Returns how many calls that took. */
    private int warmUp() throws Exception {
        int calls = 0;
        boolean isLate = true;
        while (isLate) {
            calls++;
            try {
                Object unused = desk().ask("the first call");
                isLate = false;
            } catch (RpcException e) {
                isLate = e.isTimeout(); // else it is denied or refused
            }
        }
        while (endpoints().anyMatch(one -> one.state() == Endpoint.State.DOWN)) { // no call has waited for a connection
            LockSupport.parkNanos(POLL.toNanos());
        }
        return calls;
    }

    private static String text(Exception e) {
        String type = e.getClass().getSimpleName();
        if (e instanceof HighwayException failure) {
            return type + " code=" + failure.getCode() + " reason=" + failure.reason() + " mayHaveRun="
                    + failure.mayHaveRun() + " island=" + failure.island();
        }
        return type + " "
                + (e instanceof RpcException failure
                        ? "code=" + failure.getCode()
                        : String.valueOf(e.getMessage()).lines().findFirst().orElseThrow());
    }

    private Stream<Endpoint> endpoints() {
        return Objects.requireNonNull(
                HighwayReport.of(application()).orElseThrow().islands().get("shanghai"))
                .endpoints()
                .stream();
    }

    private String openBreakers() {
        return endpoints()
                .filter(one -> one.state() == Endpoint.State.OPEN)
                .map(one -> one.tunnel().toString())
                .sorted()
                .collect(Collectors.joining(","));
    }
}
