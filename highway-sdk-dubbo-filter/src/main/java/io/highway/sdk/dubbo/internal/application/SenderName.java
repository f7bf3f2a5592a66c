// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.application;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.call.InboundRouteHeaders;
import io.highway.sdk.internal.Texts;
import java.util.Objects;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/** Who sends the calls of an application, as its route headers say. Thread-safe. */
final class SenderName {

    private static final String KEY = "dubbo.application.name";

    /** What a guard reads of it, as Dubbo allows it. */
    private static final int MOST_CHARACTERS = 200;

    private final ApplicationModel application;

    /** That of the last call: the next one most likely has the same. */
    private volatile @Nullable Known last;

    private record Known(int hops, String from) {}

    SenderName(ApplicationModel application) {
        this.application = application;
    }

    /**
     * Warns of a name that arrives as that of other applications, too.
     *
     * @throws HighwayConfigurationException if every destination would read it as no name at all
     */
    void check(ApplicationWarnings warnings) {
        String name = Objects.requireNonNullElse(application.tryGetApplicationName(), "");
        if (name.length() > MOST_CHARACTERS) {
            throw new HighwayConfigurationException(
                    KEY,
                    "it has " + name.length() + " characters, and calls to other islands carry at most "
                            + MOST_CHARACTERS,
                    "Write a shorter name");
        }
        String sent = InboundRouteHeaders.ascii(name);
        if (!sent.equals(name)) {
            warnings.once(KEY + " \"" + Texts.printable(name) + "\" is sent to other islands as \"" + sent
                    + "\": their guards, rules and audit cannot tell it from another name of the same length; write"
                    + " printable ASCII characters without blank, slash and semicolon");
        }
    }

    /** The sender of a call that has crossed so many islands. */
    String of(String home, int hops) {
        Known known = last;
        if (known != null && known.hops == hops) {
            return known.from;
        }
        String name = application.tryGetApplicationName();
        String from = InboundRouteHeaders.sender(home, Objects.requireNonNullElse(name, "unknown"), hops);
        if (name != null) {
            last = new Known(hops, from);
        }
        return from;
    }
}
