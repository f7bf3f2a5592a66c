// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart;

import io.highway.sdk.dubbo.HighwayException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls, prints what each of them did, as a row of a table or as a line for scripts, and compares that with what was
 * expected.
 *
 * <p>Nothing printed is taken from the expectation: {@code route} and {@code tunnel} come from what the provider that
 * answered reports about itself, {@code from} from the SDK's explanation of the call, {@code refused} from its
 * exception.
 */
final class Calls {

    static final String NO_ANSWER = "-";

    private static final Pattern STAMP =
            Pattern.compile("(?<island>[a-z]+)( \\((?<tunnel>dubbo|triple), for .*?\\))?:.*");

    /** Call, what named the island, tunnel, who answered, milliseconds, why it was refused. */
    private static final String ROW = "%-34s%-17s%-8s%-13s%5s  %s";

    private final PrintStream out;
    private final LastCall lastCall;
    private final PrintStream errors;
    private final boolean plain;
    private final List<String> failures = new ArrayList<>();
    private final List<String> logged = new ArrayList<>();
    private int made;

    /**
     * Makes none yet.
     *
     * @param plain whether to print a line of keys and values for each call, and no table
     */
    Calls(PrintStream out, PrintStream errors, LastCall lastCall, boolean plain) {
        this.out = out;
        this.errors = errors;
        this.lastCall = lastCall;
        this.plain = plain;
    }

    /** A call with a text, which the provider sends back. */
    @FunctionalInterface
    interface Call {
        Object send(String text) throws Exception;
    }

    /** What a call did. */
    private record Done(String route, String tunnel, String from, String answer) {

        private String line() {
            return Calls.line(route, tunnel, from, answer);
        }
    }

    /** Makes the call and prints its row or line; an unexpected result is explained on the error output. */
    void call(Expected expected, String text, Call call) {
        lastCall.forget();
        long start = System.nanoTime();
        Done done;
        String refused = "";
        String message = "";
        try {
            done = delivered(String.valueOf(call.send(text)));
        } catch (Exception e) {
            HighwayException refusal = refusal(e);
            done = refusal == null ? failed(e) : refused(refusal);
            refused = refusal == null ? "" : refusal.reason().word();
            message = String.valueOf(e.getMessage());
        }
        long millis = (System.nanoTime() - start) / 1_000_000;
        if (plain) {
            out.println(done.line() + " ms=" + millis + refusal(refused));
        } else {
            row(text, done, millis, refused);
        }
        made++;
        String actual = done.line() + refusal(refused);
        String wanted = expected.line(text) + refusal(expected.refused());
        if (!actual.equals(wanted)) {
            String failed = "call " + made + " (" + text + "): expected " + wanted + ", but was " + actual;
            failures.add(failed);
            errors.println("quickstart: " + failed + (message.isEmpty() ? "" : "; " + message));
        }
    }

    private void row(String text, Done done, long millis, String refused) {
        if (made == 0) {
            out.println(ROW.formatted("CALL", "ISLAND NAMED BY", "TUNNEL", "ANSWERED BY", "MS", "REFUSED AS"));
        }
        Matcher stamp = STAMP.matcher(done.answer);
        String failure = done.answer.equals(NO_ANSWER) ? refused : done.answer;
        out.println(ROW.formatted(
                        text,
                        done.from,
                        done.tunnel,
                        stamp.matches() ? stamp.group("island") : NO_ANSWER,
                        millis,
                        stamp.matches() ? "" : failure)
                .stripTrailing());
    }

    private static String refusal(String reason) {
        return reason.isEmpty() ? "" : " refused=" + reason;
    }

    private Done delivered(String answer) {
        Matcher stamp = STAMP.matcher(answer);
        String tunnel = stamp.matches() ? stamp.group("tunnel") : null;
        return new Done(
                tunnel == null ? "home" : "island", tunnel == null ? "none" : tunnel, lastCall.source(), answer);
    }

    private Done refused(HighwayException refusal) {
        return new Done("island", lastCall.tunnel(), refusal.intent().source().word(), NO_ANSWER);
    }

    /** A result that no call should have. */
    private Done failed(Exception failure) {
        String what = failure.toString().lines().findFirst().orElse("");
        return new Done(
                lastCall.tunnel().equals("none") ? "home" : "island", lastCall.tunnel(), lastCall.source(), what);
    }

    static String line(String route, String tunnel, String from, String answer) {
        return "route=" + route + " tunnel=" + tunnel + " from=" + from + " answer=" + answer;
    }

    private static @Nullable HighwayException refusal(Exception thrown) {
        Throwable cause = thrown instanceof ExecutionException ? thrown.getCause() : thrown;
        return cause instanceof HighwayException refusal ? refusal : null;
    }

    /** What was logged, and should not have been. */
    void logged(List<String> lines) {
        logged.addAll(lines);
        lines.forEach(line -> errors.println("quickstart: logged: " + line));
    }

    /**
     * Prints the last line, which names each call with an unexpected result and what should not have been logged, and
     * returns whether there was none.
     */
    boolean finish() {
        out.println("quickstart: " + made + " calls, " + (made - failures.size()) + " as expected"
                + failures.stream().map(failed -> "; " + failed).collect(Collectors.joining())
                + logged.stream().map(line -> "; logged: " + line).collect(Collectors.joining()));
        return failures.isEmpty() && logged.isEmpty();
    }
}
