// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;

/** The spans of a client or server, with W3C's {@code traceparent} between them, as a tracer makes them. */
final class Spans implements ObservationHandler<Observation.Context> {

    private final ObservationRegistry registry = ObservationRegistry.create();
    private final BlockingQueue<Span> ended = new LinkedBlockingQueue<>();

    /** A span that has ended, with the attributes of the SDK. */
    record Span(
            String trace,
            String id,
            String parent,
            Map<String, String> attributes,
            List<String> events,
            String error) {}

    Spans() {
        registry.observationConfig().observationHandler(this);
    }

    /** Lets an application make spans; before it exports or refers to services. */
    void traces(TestApplication application) {
        application.model().getBeanFactory().registerBean(registry);
    }

    BlockingQueue<Span> ended() {
        return ended;
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return true;
    }

    @Override
    public void onStart(Observation.Context context) {
        String id = hex(16);
        String trace = hex(32);
        if (context instanceof SenderContext<?> sender) {
            send(sender, "00-" + trace + "-" + id + "-01");
        } else if (context instanceof ReceiverContext<?> receiver) {
            String[] parent = String.valueOf(received(receiver)).split("-", -1);
            trace = parent.length == 4 ? parent[1] : "";
            context.put("parent", parent.length == 4 ? parent[2] : "");
        }
        context.put("id", id);
        context.put("trace", trace);
        context.put("events", new ArrayList<String>());
    }

    private static <C> void send(SenderContext<C> context, String traceparent) {
        context.getSetter().set(context.getCarrier(), "traceparent", traceparent);
    }

    private static <C> String received(ReceiverContext<C> context) {
        return context.getGetter().get(context.getCarrier(), "traceparent");
    }

    private static String hex(int digits) {
        StringBuilder hex = new StringBuilder();
        while (hex.length() < digits) {
            hex.append(String.format("%016x", ThreadLocalRandom.current().nextLong()));
        }
        return hex.toString();
    }

    @Override
    public void onEvent(Observation.Event event, Observation.Context context) {
        context.<List<String>>getRequired("events").add(event.getContextualName());
    }

    @Override
    public void onStop(Observation.Context context) {
        Map<String, String> attributes = new TreeMap<>();
        for (KeyValue value : context.getAllKeyValues()) {
            if (value.getKey().startsWith("highway.")) {
                attributes.put(value.getKey(), value.getValue());
            }
        }
        ended.add(new Span(
                context.getRequired("trace"),
                context.getRequired("id"),
                context.getOrDefault("parent", ""),
                attributes,
                context.getRequired("events"),
                context.getError() == null ? "" : context.getError().getClass().getSimpleName()));
    }
}
