// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.conformance.provider;

import io.highway.samples.conformance.service.Ledger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Records what a provider receives. Thread-safe. */
final class Journal implements Ledger {

    private final Map<String, Integer> executions = new ConcurrentHashMap<>();
    private final Map<String, Map<String, String>> wire = new ConcurrentHashMap<>();
    private final Map<String, List<String>> events = new ConcurrentHashMap<>();

    /** Code of a service runs. */
    void executed(String id) {
        executions.merge(id, 1, Integer::sum);
    }

    /** A call has arrived. */
    void arrived(String id, Map<String, String> attachments) {
        wire.put(id, attachments);
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
