// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.star;

import io.highway.samples.cookbook.RedisReplays;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.HighwaySetup;

/** {@code -Dredis.port} lets a provider share its used signatures; named in {@code META-INF/dubbo}. */
public final class SharedReplays implements HighwayCustomizer {

    /** Called by Dubbo. */
    public SharedReplays() {}

    @Override
    public void customize(HighwaySetup setup) {
        Integer port = Integer.getInteger("redis.port");
        if (port != null) {
            setup.replayStore(new RedisReplays("127.0.0.1", port));
        }
    }
}
