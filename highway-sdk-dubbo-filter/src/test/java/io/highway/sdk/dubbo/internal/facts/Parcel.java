// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.facts;

import java.io.InputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An argument of an application. */
final class Parcel implements Serializable {

    private static final long serialVersionUID = 1L;

    String text = "";

    @Nullable
    Parcel inner;

    /** Reads on in the body, when it is used. */
    @Nullable
    @SuppressWarnings("serial")
    InputStream content;

    List<String> stamps = new ArrayList<>();
    Map<String, Integer> weights = new HashMap<>();
}
