// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one application that are read and need no event, for any metrics library; the Spring Boot starter
 * registers them in Micrometer. What counts calls, health checks and refusals is built on {@link OutcomeListener}, {@link
 * NetworkListener} and {@link GuardListener}. Thread-safe. Only the SDK implements it.
 *
 * <p>{@code docs/reference/observability.md} describes every meter.
 */
public interface HighwayMeters {

    /**
     * {@return the meters of an application}
     *
     * <p>Other methods read the configuration unless it has been read: call them after Dubbo has prepared its own.
     *
     * @param application the application model, such as {@code ApplicationModel.defaultModel()}; with Spring, it is a bean
     */
    static HighwayMeters of(ApplicationModel application) {
        return InternalReports.of("meters", application);
    }

    /**
     * {@return the meters that there are now; none while the highway is off}
     *
     * <p>Islands, gateways and endpoints have meters from the first reference that uses the highway, while the active policy
     * has them. Bytes of an island are counted from its first appearance here.
     */
    List<Meter> meters();

    /**
     * Runs a listener now, and whenever meters may have been added or removed. Does nothing while the highway is off.
     *
     * @param listener called by several threads; it must not block
     */
    void onChange(Runnable listener);

    /**
     * {@return the tag {@code island} for an event: its island if that is configured, else {@code other}, since callers may
     * name any}
     *
     * @param island the island of the event, or null
     */
    String island(@Nullable String island);

    /**
     * {@return whether the active policy has the island and the endpoint that the tags of a meter name, if any; events
     * may still concern an earlier one}
     *
     * @param tags the tags, as those of {@link Meter#tags}
     */
    boolean isUsed(Map<String, String> tags);

    /**
     * A number that can be read at any time. No other meter has the same name and tags.
     *
     * @param name its name, such as {@code highway.connections}
     * @param description a sentence about it
     * @param unit the unit of its value, such as {@code bytes}, or null
     * @param isCounter whether its value never decreases, which is a counter; others are gauges
     * @param tags its tags, in no order
     * @param source reads its present value
     */
    record Meter(
            String name,
            String description,
            @Nullable String unit,
            boolean isCounter,
            Map<String, String> tags,
            DoubleSupplier source) {

        /** {@return its present value, or {@code NaN} if it is not known} */
        public double value() {
            return source.getAsDouble();
        }
    }
}
