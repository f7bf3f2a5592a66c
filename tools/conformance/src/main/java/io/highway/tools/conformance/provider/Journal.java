// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.provider;

import io.highway.tools.conformance.service.Ledger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Records what a provider receives. Thread-safe. */
final class Journal implements Ledger {

    /** Of the newest calls only: attachments take a kilobyte each, and ten reloads see some 100,000 calls. */
    private static final int KEPT = 20_000;

    private final Map<String, Integer> executions = new ConcurrentHashMap<>();
    private final Map<String, Map<String, String>> wire = new ConcurrentHashMap<>();
    private final Queue<String> arrivals = new ConcurrentLinkedQueue<>();
    private final AtomicInteger kept = new AtomicInteger();
    private final Map<String, List<String>> events = new ConcurrentHashMap<>();

    /** Code of a service runs. */
    void executed(String id) {
        executions.merge(id, 1, Integer::sum);
    }

    /** A call has arrived. */
    void arrived(String id, Map<String, String> attachments) {
        if (wire.put(id, attachments) == null) {
            arrivals.add(id);
            if (kept.incrementAndGet() > KEPT) {
                kept.decrementAndGet();
                wire.remove(arrivals.remove());
            }
        }
    }

    /** Something has happened to a stream. */
    void happened(String id, String event) {
        events.computeIfAbsent(id, any -> new ArrayList<>()); // so that the next line is atomic
        events.computeIfPresent(id, (any, before) -> {
            List<String> after = new ArrayList<>(before);
            after.add(event);
            return after;
        });
    }

    @Override
    public int executions(String id) {
        return executions.getOrDefault(id, 0);
    }

    @Override
    public Map<String, Integer> executionsOf(String prefix) {
        Map<String, Integer> found = new HashMap<>();
        executions.forEach((id, count) -> {
            if (id.startsWith(prefix)) {
                found.put(id, count);
            }
        });
        return found;
    }

    @Override
    public Map<String, String> wire(String id) {
        return new HashMap<>(wire.getOrDefault(id, Map.of()));
    }

    @Override
    public List<String> events(String id) {
        return new ArrayList<>(events.getOrDefault(id, List.of()));
    }
}
