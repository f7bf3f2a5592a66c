// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import io.highway.sdk.dubbo.ReplayStore;
import java.time.Duration;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.params.SetParams;

public final class RedisReplays implements ReplayStore, AutoCloseable {

    private static final String KEY = "highway-replay:";
    private static final int CONNECTIONS = 64; // as many as the threads by which the SDK asks a store

    private final JedisPooled redis;

    public RedisReplays(String host, int port) {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(CONNECTIONS);
        redis = new JedisPooled(pool, host, port);
    }

    @Override
    public boolean addIfAbsent(String id, Duration keep) { // true only for the first process that sends the id
        return redis.set(KEY + id, "", SetParams.setParams().nx().px(keep.toMillis())) != null; // one atomic command
    }

    @Override
    public void close() {
        redis.close();
    }
}
