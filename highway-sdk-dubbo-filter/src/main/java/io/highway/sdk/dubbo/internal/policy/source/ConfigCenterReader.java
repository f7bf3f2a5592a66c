// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import io.highway.sdk.dubbo.internal.policy.source.Mailbox.Publication;
import org.apache.dubbo.common.config.configcenter.ConfigItem;
import org.apache.dubbo.common.config.configcenter.DynamicConfiguration;
import org.apache.dubbo.common.config.configcenter.wrapper.CompositeDynamicConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Reads a key of a config centre so that "there is none" and "no answer" stay apart; Dubbo's {@code getConfig} is null
 * for both. ZooKeeper and Nacos tell them apart by their own clients; of other centres null stays unknown.
 */
final class ConfigCenterReader {

    static final String GROUP = DynamicConfiguration.DEFAULT_GROUP;

    /** By name, since their classes need clients that may be missing. */
    private static final String ZOOKEEPER =
            "org.apache.dubbo.configcenter.support.zookeeper.ZookeeperDynamicConfiguration";

    private static final String NACOS = "org.apache.dubbo.configcenter.support.nacos.NacosDynamicConfiguration";

    private ConfigCenterReader() {}

    /**
     * Reads a key.
     *
     * @param source of its rule, in logs
     * @throws RuntimeException if the centre, or one of several, does not answer
     */
    static Publication read(DynamicConfiguration center, String key, String source, long millis) {
        if (!(center instanceof CompositeDynamicConfiguration composite)) {
            return readOne(center, key, source, millis);
        }
        Publication answer = new Publication.Deleted();
        for (DynamicConfiguration each : composite.getInnerConfigurations()) {
            Publication one = readOne(each, key, source, millis); // one that fails may have the newest rule
            boolean isUnknown = answer instanceof Publication.Unknown;
            if (answer instanceof Publication.Deleted || (isUnknown && one instanceof Publication.Content)) {
                answer = one;
            }
        }
        return answer;
    }

    private static Publication readOne(DynamicConfiguration center, String key, String source, long millis) {
        String kind = center.getClass().getName();
        if (kind.equals(ZOOKEEPER)) {
            ConfigItem item = center.getConfigItem(key, GROUP); // fails without a connection
            boolean isBlank = item.getContent() == null && item.getTicket() != null; // the state of the node
            return proved(isBlank ? "" : item.getContent(), source);
        }
        if (kind.equals(NACOS)) {
            NacosClient server = NacosClient.of(center);
            if (server != null) {
                return proved(server.read(key, GROUP, millis), source);
            }
        }
        String text = center.getConfig(key, GROUP, millis);
        return text == null
                ? new Publication.Unknown(
                        "the config centre has no rule " + key + " in the group " + GROUP + ", or does not answer")
                : new Publication.Content(text, source);
    }

    private static Publication proved(@Nullable String text, String source) {
        return text == null ? new Publication.Deleted() : new Publication.Content(text, source);
    }
}
