// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.application;

import io.highway.sdk.dubbo.internal.call.RouteHeaders;
import java.util.Objects;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/** Who sends the calls of an application, as its route headers say. Thread-safe. */
final class SenderName {

    private final ApplicationModel application;

    /** That of the last call: the next one most likely has the same. */
    private volatile @Nullable Known last;

    private record Known(int hops, String from) {}

    SenderName(ApplicationModel application) {
        this.application = application;
    }

    /** The sender of a call that has crossed so many islands. */
    String of(String home, int hops) {
        Known known = last;
        if (known != null && known.hops == hops) {
            return known.from;
        }
        String name = application.tryGetApplicationName();
        String from = RouteHeaders.sender(home, Objects.requireNonNullElse(name, "unknown"), hops);
        if (name != null) {
            last = new Known(hops, from);
        }
        return from;
    }
}
