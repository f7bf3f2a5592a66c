// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.service;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An argument with some structure. */
public final class Parcel implements Serializable {

    private static final long serialVersionUID = 1L;

    private final @Nullable String label;
    private final int weight;
    private final List<String> stamps;
    private final @Nullable Parcel inner;

    /** For the Hessian of Dubbo 3.2, which otherwise calls the other constructor with nulls. */
    @SuppressWarnings("unused")
    private Parcel() {
        this(null, 0, List.of(), null);
    }

    /** Any part but the stamps may be missing. */
    public Parcel(@Nullable String label, int weight, List<String> stamps, @Nullable Parcel inner) {
        this.label = label;
        this.weight = weight;
        this.stamps = new ArrayList<>(stamps);
        this.inner = inner;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Parcel parcel
                && Objects.equals(label, parcel.label)
                && weight == parcel.weight
                && stamps.equals(parcel.stamps)
                && Objects.equals(inner, parcel.inner);
    }

    @Override
    public int hashCode() {
        return Objects.hash(label, weight, stamps, inner);
    }

    @Override
    public String toString() {
        return label + " " + weight + " " + stamps + (inner == null ? "" : " (" + inner + ")");
    }
}
