// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

import io.highway.tools.benchmarks.scale.References.Reference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.dubbo.rpc.RpcContext;

/**
 * Every service called once as its reference is bound, then for every island by attachment. Every answer must come from the
 * right service and name the right island. First calls are made one after another, since they are timed.
 */
final class Calls {

    private static final int CALLERS = 4;

    private final Task task;
    private final Set<Class<?>> met = new HashSet<>();
    private final List<Double> firstMillis = new ArrayList<>();
    private long answered;
    private long failed;
    private String firstFailure = "";

    Calls(Task task) {
        this.task = task;
    }

    void make(List<Reference> references) throws InterruptedException, ExecutionException {
        references.forEach(reference -> first(reference, ""));
        references.forEach(reference -> first(reference, References.island(0)));
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        List<Future<?>> parts = IntStream.range(1, task.islands() * task.times())
                .mapToObj(number -> References.island(number % task.islands()))
                .<Future<?>>map(island -> callers.submit(() -> references.forEach(reference -> ask(reference, island))))
                .toList();
        for (Future<?> part : parts) {
            part.get();
        }
        callers.shutdown();
        callers.awaitTermination(1, TimeUnit.SECONDS);
    }

    /** With the SDK, calls that stay home are no first ones. */
    private void first(Reference reference, String island) {
        boolean leaves = !island.isEmpty() || !reference.island().isEmpty();
        boolean counts = (leaves || !task.sdk()) && met.add(reference.type());
        long begun = System.nanoTime();
        ask(reference, island);
        if (counts) {
            firstMillis.add((double) (System.nanoTime() - begun) / TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** No island: as the reference is bound. */
    private void ask(Reference reference, String island) {
        String expected = island.isEmpty() && task.sdk() ? reference.island() : island;
        String problem;
        try {
            if (!island.isEmpty()) {
                RpcContext.getClientAttachment().setAttachment("highway-island", island);
            }
            String answer = reference.service().asked("tea");
            problem = answer.equals(AskedService.answer(reference.type(), expected)) ? "" : "answered by " + answer;
        } catch (RuntimeException e) { // whatever it is, it is counted and the first one shown
            problem = e.toString();
        }
        note(problem.isEmpty() ? "" : reference.type().getSimpleName() + " for \"" + expected + "\": " + problem);
    }

    private synchronized void note(String failure) {
        if (failure.isEmpty()) {
            answered++;
        } else {
            failed++;
            firstFailure = firstFailure.isEmpty() ? failure : firstFailure;
        }
    }

    synchronized long answered() {
        return answered;
    }

    synchronized long failed() {
        return failed;
    }

    /** Why one of them failed; empty if none did. */
    synchronized String firstFailure() {
        return firstFailure;
    }

    /** The first call of each service that left home, or that was made at all with plain Dubbo, in this order, in milliseconds. */
    List<Double> firstMillis() {
        return firstMillis;
    }
}
