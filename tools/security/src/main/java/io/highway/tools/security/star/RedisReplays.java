// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.star;

import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.HighwaySetup;
import io.highway.sdk.dubbo.ReplayStore;
import java.time.Duration;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.params.SetParams;

/**
 * Keeps used signatures in Redis, for all processes of an island: a Dubbo extension, named in
 * {@code META-INF/dubbo/io.highway.sdk.dubbo.HighwayCustomizer}. {@code -Dredis.port} switches it on.
 */
public final class RedisReplays implements HighwayCustomizer {

    private static final Logger log = LoggerFactory.getLogger(RedisReplays.class);
    private static final String KEY = "highway-replay:";

    /** As many as the threads by which the SDK asks a store. */
    private static final int CONNECTIONS = 64;

    /** Called by Dubbo. */
    public RedisReplays() {}

    @Override
    public void customize(HighwaySetup setup) {
        Integer port = Integer.getInteger("redis.port");
        if (port != null) {
            log.info("used signatures are kept in Redis at port " + port);
            ConnectionPoolConfig pool = new ConnectionPoolConfig();
            pool.setMaxTotal(CONNECTIONS);
            setup.replayStore(new RedisStore(new JedisPooled(pool, "127.0.0.1", port)));
        }
    }

    /** One atomic command: true only for the first process that sends the id. */
    private record RedisStore(JedisPooled redis) implements ReplayStore {

        @Override
        public boolean addIfAbsent(String id, Duration keep) {
            return redis.set(KEY + id, "", SetParams.setParams().nx().px(keep.toMillis())) != null;
        }
    }
}
