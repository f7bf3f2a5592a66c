// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the dynamic policy comes from. Immutable.
 *
 * @param kind the kind of source
 * @param file the watched file, if the kind is {@link Kind#FILE}
 * @param directory where the last good policy is kept
 */
public record PolicySourceSettings(Kind kind, @Nullable Path file, Path directory) {

    /** A kind of source. */
    public enum Kind {
        /** The config centre if the application has one, else none. */
        DEFAULT,
        /** Dubbo's config centre. */
        CONFIG_CENTER,
        /** A watched file. */
        FILE,
        /** There is no dynamic policy. */
        NONE
    }
}
