// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Client;
import io.highway.tools.fixtures.time.Waiting;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Compares actual with expected results. */
final class Expect {

    private static final int LONGEST = 240;
    private static final long LOOK_AGAIN_MILLIS = 5;

    private Expect() {}

    /** Both are equal. */
    static void same(String what, @Nullable Object expected, @Nullable Object came) {
        if (!Objects.equals(expected, came)) {
            throw new Unmet(what + " " + shown(expected), shown(came));
        }
    }

    /** The island answers with this text. */
    static void answer(Client client, String island, String id, String text) throws Exception {
        same("answer", island + " " + text, client.to(island, () -> client.desk()
                .answer(id, text)));
    }

    /** The condition is true. */
    static void holds(boolean holds, String expected, String came) {
        if (!holds) {
            throw new Unmet(expected, came);
        }
    }

    /** The condition becomes true within this number of milliseconds. */
    static void becomes(BooleanSupplier holds, long millis, String expected, Supplier<String> came) {
        if (!Waiting.until(Duration.ofMillis(millis), LOOK_AGAIN_MILLIS, holds::getAsBoolean)) {
            throw new Unmet(expected + " within " + millis + " ms", came.get());
        }
    }

    /** A call to the island is answered, within some time. */
    static void passes(String expected, Bench bench, Client client, String island, long millis) {
        becomes(() -> isAnswered(bench, client, island), millis, expected, () -> "none of them passes");
    }

    private static boolean isAnswered(Bench bench, Client client, String island) {
        try {
            client.to(island, () -> client.desk().answer(bench.newId("again"), "x"));
            return true;
        } catch (Exception e) {
            return false;
        }
    }

    /** The call fails with an exception of the SDK. */
    static HighwayException refused(String expected, Callable<?> call) {
        return thrown(HighwayException.class, expected, call);
    }

    /** The call fails with an exception of the SDK, certainly not sent, and nothing runs. */
    static HighwayException notSent(Bench bench, String id, Callable<?> call) {
        HighwayException refusal = refused("a refusal", call);
        holds(!refusal.mayHaveRun(), "certainly not sent", shown(refusal));
        same("executions", 0, bench.islands().executions(id));
        return refusal;
    }

    /** The service itself fails, with this type. */
    static <X extends Throwable> X thrown(Class<X> type, Callable<?> call) {
        return thrown(type, type.getSimpleName(), call);
    }

    private static <X extends Throwable> X thrown(Class<X> type, String expected, Callable<?> call) {
        Object answer;
        try {
            answer = call.call();
        } catch (Exception e) {
            Throwable cause = unwrapped(e);
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
            throw new Unmet(expected, shown(cause), e);
        }
        throw new Unmet(expected, "the answer " + shown(answer));
    }

    /** The exception without the wrapping of futures. */
    static Throwable unwrapped(Throwable thrown) {
        Throwable core = thrown;
        while ((core instanceof ExecutionException || core instanceof CompletionException) && core.getCause() != null) {
            core = core.getCause();
        }
        return core;
    }

    /** The message without intent and decision, with which every message begins. */
    private static String essence(HighwayException failure) {
        String message = String.valueOf(failure.getMessage());
        String reason = "; " + failure.reason() + ": ";
        int at = message.indexOf(reason);
        return at < 0 ? message : message.substring(at + reason.length());
    }

    /** Its reason, and whether the call may have run. */
    static String end(HighwayException failure) {
        return failure.reason() + ", " + (failure.mayHaveRun() ? "may have run" : "not sent");
    }

    /** In one line. */
    static String shown(@Nullable Object value) {
        String text = value instanceof HighwayException failure
                ? end(failure) + ": " + essence(failure)
                : value instanceof byte[] bytes ? bytes.length + " bytes" : String.valueOf(value);
        String line = text.replaceAll("\\s+", " ");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
    }
}
