// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import com.alibaba.nacos.api.config.ConfigService;
import com.alibaba.nacos.api.config.listener.Listener;
import com.alibaba.nacos.api.exception.NacosException;
import com.alibaba.nacos.common.utils.VersionUtils;
import java.lang.reflect.Field;
import java.util.concurrent.Executor;
import org.apache.dubbo.common.config.configcenter.DynamicConfiguration;
import org.apache.dubbo.configcenter.support.nacos.NacosConfigServiceWrapper;
import org.jspecify.annotations.Nullable;

/** Asks a Nacos server itself: {@code ConfigService.getConfig} answers from files on disk when the server does not. */
final class NacosClient {

    /** The oldest client whose {@code getConfigAndSignListener} asks the server; 2.1.0 answers from disk, too. */
    private static final String OLDEST = "2.1.2";

    /** One for all reads, so that the client keeps one. Dubbo's own listener is notified of changes. */
    private static final Listener NONE = new Listener() {

        @Override
        public @Nullable Executor getExecutor() {
            return null;
        }

        @Override
        public void receiveConfigInfo(String text) {}
    };

    private final ConfigService service;

    private NacosClient(ConfigService service) {
        this.service = service;
    }

    /** The server behind Dubbo's config centre, or null where Dubbo or the client is another than is known here. */
    static @Nullable NacosClient of(DynamicConfiguration center) {
        try {
            if (VersionUtils.compareVersion(VersionUtils.version, OLDEST) < 0) {
                return null;
            }
            Field service = center.getClass().getDeclaredField("configService");
            service.setAccessible(true);
            return new NacosClient(((NacosConfigServiceWrapper) service.get(center)).getConfigService());
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            return null;
        }
    }

    /**
     * The text of a key, or null if the server has none.
     *
     * @throws IllegalStateException if the server does not answer
     */
    @Nullable
    String read(String key, String group, long millis) {
        try {
            return service.getConfigAndSignListener(key, group, millis, NONE);
        } catch (NacosException e) {
            throw new IllegalStateException(e.getErrCode() + " " + e.getErrMsg(), e);
        }
    }
}
