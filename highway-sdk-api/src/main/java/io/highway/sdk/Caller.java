// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The caller of a request from another island, as the provider sees it. Immutable, with equality by value. */
public final class Caller {

    private final String island;
    private final String application;

    private Caller(String island, String application) {
        this.island = Objects.requireNonNull(island, "island");
        this.application = Objects.requireNonNull(application, "application");
    }

    /**
     * {@return a caller, for {@link HighwayContext#servedFor} and for tests}
     *
     * @param island the island in which the call started
     * @param application the Dubbo application name of the consumer there
     */
    public static Caller of(String island, String application) {
        return new Caller(island, application);
    }

    /** {@return the island in which the call started} */
    public String island() {
        return island;
    }

    /** {@return the Dubbo application name of the consumer there} */
    public String application() {
        return application;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Caller caller && island.equals(caller.island) && application.equals(caller.application);
    }

    @Override
    public int hashCode() {
        return Objects.hash(island, application);
    }

    /** {@return the island and the application, such as {@code zhejiang/shop}} */
    @Override
    public String toString() {
        return island + "/" + application;
    }
}
