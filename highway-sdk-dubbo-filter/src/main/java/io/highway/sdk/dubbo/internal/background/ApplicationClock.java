// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.background;

import java.util.function.LongSupplier;
import org.apache.dubbo.rpc.model.ApplicationModel;

/**
 * The monotonic time, nanoseconds, by which one application counts deadlines, health, breakers and pauses between connection
 * attempts: {@link System#nanoTime} unless a test replaces it before the first call. Thread-safe.
 */
public final class ApplicationClock implements LongSupplier {

    private volatile LongSupplier source = System::nanoTime;

    /** Called by Dubbo's bean factory; use {@link #of}. */
    public ApplicationClock() {}

    /** The clock of an application. */
    public static ApplicationClock of(ApplicationModel application) {
        return application.getBeanFactory().getOrRegisterBean(ApplicationClock.class);
    }

    /** Takes the time from another source from now on. For tests. */
    public void follow(LongSupplier other) {
        source = other;
    }

    @Override
    public long getAsLong() {
        return source.getAsLong();
    }
}
