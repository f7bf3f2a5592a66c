// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import org.jspecify.annotations.Nullable;

/** A service as providers are listed by: interface, and group and version where they are set. */
record ServiceName(@Nullable String group, String name, @Nullable String version) {
    /** What Dubbo writes for a service without a version. */
    private static final String NO_VERSION = "0.0.0";

    static ServiceName of(@Nullable String group, String name, @Nullable String version) {
        return new ServiceName(
                group == null || group.isEmpty() ? null : group,
                name,
                version == null || version.isEmpty() || version.equals(NO_VERSION) ? null : version);
    }

    /** Dubbo's service key, {@code group/interface:version}. */
    @Override
    public String toString() {
        return (group == null ? "" : group + "/") + name + (version == null ? "" : ":" + version);
    }
}
