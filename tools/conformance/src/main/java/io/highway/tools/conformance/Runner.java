// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance;

import io.highway.tools.conformance.Verdict.Result;
import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Islands;
import io.highway.tools.conformance.bench.NotOffered;
import io.highway.tools.conformance.cases.Case;
import io.highway.tools.conformance.cases.Case.When;
import io.highway.tools.conformance.cases.Unmet;
import io.highway.tools.gateways.Protocol;
import io.highway.tools.processes.Warnings;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.dubbo.rpc.RpcContext;

/** Runs cases: slow ones in parallel to the others, disruptive ones at the end. */
final class Runner {

    private static final int LONGEST_SECONDS = 60;
    private static final int LONGEST_BESIDE_SECONDS = 150;
    private static final int LONGEST_ALONE_SECONDS = 600;

    /** The cases in which something fails on purpose, or may: 10,000 calls delay heartbeats on a busy machine. */
    private static final Set<String> FAULTS = Set.of(
            "5,000 refusals",
            "request over the limit",
            "odd request attachments",
            "odd response attachments",
            "deadline",
            "stock window: works, or the error names the fix",
            "10,000 calls in flight",
            "unknown island", // where a port leads to one island, its guard refuses, which is a warning
            "caller without the SDK", // plain Dubbo logs a refused call as an error
            "words of a service",
            "words of a raw peer",
            "TLS without a certificate",
            "TLS with a stranger's certificate",
            "TLS by another host name",
            "provider down and back");

    private final Bench bench;
    private final KnownLimits limits;
    private final boolean quick;
    private final Consumer<Row> each;
    private final PrintWriter traces;
    private final Warnings warnings;

    private record Task(Case what, Protocol protocol) {}

    /** Stack traces of failures go to {@code traces}. */
    Runner(Bench bench, KnownLimits limits, boolean quick, Consumer<Row> each, PrintWriter traces) throws IOException {
        this.bench = bench;
        this.limits = limits;
        this.quick = quick;
        this.each = each;
        this.traces = traces;
        this.warnings = Warnings.ofThisProcess();
    }

    /** Returns the result of each, in the order in which they ended. */
    List<Row> run(List<Case> cases) throws IOException, InterruptedException {
        List<Task> tasks = cases.stream()
                .flatMap(one -> one.protocols().stream().map(protocol -> new Task(one, protocol)))
                .toList();
        List<Row> rows = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool(new DefaultThreadFactory("case", true));
        try {
            Map<Task, Future<String>> beside = new LinkedHashMap<>();
            tasks.stream()
                    .filter(when(When.BESIDE))
                    .filter(task -> !quick)
                    .forEach(task -> beside.put(task, start(threads, task)));
            for (Task task : tasks.stream().filter(when(When.IN_TURN)).toList()) {
                end(rows, task, verdict(task, start(threads, task), LONGEST_SECONDS));
            }
            for (Task task : tasks.stream().filter(when(When.BESIDE)).toList()) {
                Future<String> running = beside.get(task);
                end(
                        rows,
                        task,
                        running == null
                                ? new Verdict(Result.LEFT_OUT, "it takes 90 s; run without --quick")
                                : verdict(task, running, LONGEST_BESIDE_SECONDS));
            }
            for (Task task : tasks.stream()
                    .filter(when(When.ALONE).or(when(When.ALONE_LONG)))
                    .sorted(Comparator.comparing(task -> task.protocol == Protocol.DUBBO)) // may end Envoy for good
                    .toList()) {
                boolean isLong = task.what.when() == When.ALONE_LONG;
                end(
                        rows,
                        task,
                        isLong && quick
                                ? new Verdict(Result.LEFT_OUT, "it takes over 10 s; run without --quick")
                                : verdict(
                                        task, start(threads, task), isLong ? LONGEST_ALONE_SECONDS : LONGEST_SECONDS));
            }
        } finally {
            threads.shutdownNow();
        }
        return rows;
    }

    private static Predicate<Task> when(When when) {
        return task -> task.what.when() == when;
    }

    private void end(List<Row> rows, Task task, Verdict verdict) throws IOException {
        Row row = new Row(task.what.name(), task.protocol, withoutWarnings(task, verdict));
        rows.add(row);
        each.accept(row);
    }

    /**
     * Without a fault, neither the SDK nor Dubbo logs WARN or ERROR in the process of the caller; but that the island is
     * unreachable that no gateway has a route to.
     */
    private Verdict withoutWarnings(Task task, Verdict verdict) throws IOException {
        List<String> logged = warnings.next().stream()
                .filter(line -> !line.contains("island " + Islands.UNKNOWN + " is unreachable"))
                .toList();
        boolean isQuiet = logged.isEmpty()
                || verdict.result() != Result.PASSED
                || task.what.when() != When.IN_TURN
                || FAULTS.contains(task.what.name());
        return isQuiet ? verdict : new Verdict(Result.FAILED, "expected no WARN or ERROR; logged " + logged);
    }

    private Future<String> start(ExecutorService threads, Task task) {
        return threads.submit(() -> {
            RpcContext.removeContext();
            return task.what.check().run(bench, task.protocol);
        });
    }

    /** A known limit excuses a failure; a case that passes counts as passed in any case. */
    private Verdict verdict(Task task, Future<String> running, int seconds) throws InterruptedException {
        String problem;
        try {
            return new Verdict(Result.PASSED, running.get(seconds, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            traces.println(task.what.name() + " over " + task.protocol.word());
            e.printStackTrace(traces);
            problem = problem(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            running.cancel(true);
            problem = "expected an end; came none within " + seconds + " s";
        }
        String seen = problem;
        return limits.on(task.what.name(), task.protocol)
                .map(reason -> new Verdict(Result.NOT_SUPPORTED, reason + "; seen: " + seen))
                .orElse(new Verdict(Result.FAILED, seen));
    }

    private static String problem(Throwable failure) {
        if (failure instanceof Unmet) {
            return String.valueOf(failure.getMessage());
        }
        if (failure instanceof NotOffered) {
            return "unexpectedly not offered: " + failure.getMessage();
        }
        return "expected no error; came " + Unmet.shown(failure);
    }
}
