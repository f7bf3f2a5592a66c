// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The mistakes in one configuration. An application refuses it for the first one; the check of a rule reads on and lists
 * them. Used by one thread.
 */
public final class Mistakes {

    private final int most;
    private final List<HighwayConfigurationException> found = new ArrayList<>();

    /** @param most the parser fails once it has found so many; 1 for an application */
    public Mistakes(int most) {
        this.most = most;
    }

    /**
     * Reads a part of the configuration; null if it has a mistake.
     *
     * @throws HighwayConfigurationException if it has a mistake, and no more mistakes are wanted
     */
    public <T> @Nullable T read(Supplier<T> part) {
        try {
            return part.get();
        } catch (HighwayConfigurationException e) {
            add(e);
            if (found.size() >= most) {
                throw e;
            }
            return null;
        }
    }

    /** As {@link #read}, of a part without a value. */
    public void check(Runnable part) {
        Object unused = read(() -> {
            part.run();
            return part;
        });
    }

    /** Adds one, unless it is there: all islands read the keys of {@code defaults}. */
    public void add(HighwayConfigurationException mistake) {
        if (found.stream().noneMatch(known -> known.toString().equals(mistake.toString()))) {
            found.add(mistake);
        }
    }

    /** Adds to each where it is written. */
    public void locate(UnaryOperator<HighwayConfigurationException> located) {
        found.replaceAll(located);
    }

    /** In the order in which they were found. */
    public List<HighwayConfigurationException> found() {
        return List.copyOf(found);
    }
}
