// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit;

import io.highway.tools.processes.ChildProcess;
import io.highway.tools.processes.DubboCaller;
import java.util.Map;

/** Zhejiang's application, on the release that its class path has: makes its calls and reports how they ended. */
final class SkewCaller {

    /** What it reports if both calls ended as they should. */
    static final String PASSED = "passed";

    private static final String TEXT = "a line that repeats, ".repeat(1000);

    private SkewCaller() {}

    public static void main(String[] arguments) {
        ChildProcess.endWithParent();
        ChildProcess.ready(outcome().lines().findFirst().orElse(""));
    }

    private static String outcome() {
        try (DubboCaller caller = new DubboCaller("orders", Map.of())) {
            Desk desk = caller.refer(
                    Desk.class,
                    "dubbo://zhejiang.test:9?lazy=true", // home has no provider
                    reference -> reference.setParameters(Map.of("highway-island", "shanghai")));
            if (!desk.answer(TEXT).equals(TEXT)) {
                return "another answer";
            }
            return exception(desk);
        } catch (RuntimeException e) {
            return reason(String.valueOf(e.getMessage()));
        }
    }

    private static String exception(Desk desk) {
        try {
            return "no exception, but " + desk.refuse("closed");
        } catch (IllegalStateException e) {
            return "closed".equals(e.getMessage()) ? PASSED : "another exception: " + e;
        }
    }

    /** Without the call and its way in front, and without the advice behind. */
    private static String reason(String message) {
        return message.replaceFirst("^.*?:\\d+( \\(policy \\w+\\))?; ", "")
                .replaceFirst("( \\(it (has not|may have) run\\)).*", "$1");
    }
}
