// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit.scenario;

import io.highway.sdk.Highway;
import java.util.List;
import java.util.Map;

/**
 * What a caller can meet. The same code runs in each {@link Place}.
 *
 * @param name of the check
 * @param fault what happens to calls, after one was answered
 * @param keys of the application that calls
 * @param expected what is in the text of what it sees
 * @param call makes the call
 */
record Scenario(String name, Fault fault, Map<String, String> keys, String expected, Call call) {

    static final List<Scenario> ALL = List.of(
            of("business exception", Fault.NONE, "SoldOutException", place -> place.desk()
                    .ask(Desk.SOLD_OUT)),
            of("not sent", Fault.DOWN, "gateway-down", Scenario::ask),
            of("may have run", Fault.LOST, "mayHaveRun=true", Scenario::ask),
            of("refused", Fault.REFUSED, "refused-there", Scenario::ask),
            of("timeout", Fault.LATE, "reason=timeout", Scenario::ask),
            of("fallback", Fault.DOWN, "zhejiang: tea", Scenario::ask)
                    .with("highway.islands.shanghai.fallback", "home"),
            of("breaker", Fault.BREAKER, "breaker-open", Scenario::ask),
            of("deny", Fault.NONE, "denied", Scenario::ask).with("highway.islands.shanghai.deny", "ask"),
            of("unknown island", Fault.NONE, "unknown-island", place -> Highway.to("hainan")
                    .callChecked(() -> ask(place))),
            of("generic", Fault.NONE, "GenericException", place -> Highway.to("shanghai")
                    .call(() -> place.generic()
                            .$invoke("ask", new String[] {"java.lang.String"}, new Object[] {Desk.SOLD_OUT}))));

    enum Fault {
        NONE,
        /** No gateway accepts connections. */
        DOWN,
        /** Calls are executed and never answered. */
        LOST,
        /** Calls are answered after their time. */
        LATE,
        /** The provider refuses calls. */
        REFUSED,
        /** The breakers of the gateways are open. */
        BREAKER
    }

    /** Makes the call. */
    interface Call {

        Object in(Place place) throws Exception;
    }

    private static Scenario of(String name, Fault fault, String expected, Call call) {
        return new Scenario(name, fault, Map.of(), expected, call);
    }

    private Scenario with(String key, String value) {
        return new Scenario(name, fault, Map.of(key, value), expected, call);
    }

    private static Object ask(Place place) throws Exception {
        return place.desk().ask("tea");
    }
}
