// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.policy.HighwayKeys;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.dubbo.internal.policy.ZstdDictionary;
import java.util.Map;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/** Whether this process has zstd-jni, an optional dependency. */
public final class ZstdLibrary {

    private static final Logger log = LoggerFactory.getLogger(ZstdLibrary.class);

    private static final String ADVICE =
            "Add the dependency com.github.luben:zstd-jni, version 1.5.7-6 or later, to" + " the application";

    private ZstdLibrary() {}

    /** Whether it can be used. */
    public static boolean isPresent() {
        return Loaded.PROBLEM.isEmpty();
    }

    /**
     * Checks the settings of a policy that is about to be used, and loads its dictionaries.
     *
     * @throws HighwayConfigurationException if one needs the library, which is missing, or is no dictionary for it
     */
    public static void requireFor(Policy policy) {
        RawSettings settings = policy.settings();
        for (Map.Entry<String, String> entry : settings.values().entrySet()) {
            if (isCompression(entry.getKey())) {
                require(entry.getKey(), entry.getValue().trim(), settings);
            }
        }
        if (isPresent()) {
            policy.knownIslands().forEach(island -> load(policy.forIsland(island), settings));
        }
    }

    private static void load(@Nullable IslandPolicy island, RawSettings settings) {
        ZstdDictionary dictionary = island == null ? null : island.wire().dictionary();
        if (island == null || dictionary == null) {
            return;
        }
        try {
            ZstdCodec unused = ZstdCodec.with(dictionary);
        } catch (RuntimeException e) { // ZstdException, which this class must not load
            String key = HighwayKeys.PREFIX + "islands." + island.island() + ".dictionary";
            throw settings.located(new HighwayConfigurationException(
                    key, "zstd does not accept the dictionary: " + e.getMessage(), "Train another one"));
        }
    }

    private static boolean isCompression(String key) {
        return key.startsWith(HighwayKeys.PREFIX) && key.endsWith(".compression");
    }

    private static void require(String key, String value, RawSettings settings) {
        if (value.equals(MessageCompressor.ZSTD) && !isPresent()) {
            HighwayConfigurationException missing = new HighwayConfigurationException(
                    key, "\"zstd\" needs zstd-jni: " + Loaded.PROBLEM, ADVICE + ", or write gzip, auto or none");
            throw settings.located(missing);
        }
        if (value.equals("auto") && !isPresent()) {
            log.warn("highway: " + key + ": \"auto\" needs zstd-jni, and nothing is compressed: " + Loaded.PROBLEM
                    + ". " + ADVICE + ".");
        }
    }

    /** Loads the native part, too: a class path may have the library for another platform. */
    private static final class Loaded {

        static final String PROBLEM = problem();

        private static String problem() {
            try {
                return MessageCompressor.ZSTD.equals(ZstdCodec.SHARED.encoding()) && roundTrip()
                        ? ""
                        : "it does not work here";
            } catch (NoClassDefFoundError e) {
                return "it is not on the class path";
            } catch (LinkageError | RuntimeException e) {
                return "it cannot be loaded here: " + e;
            }
        }

        private static boolean roundTrip() {
            byte[] plain = new byte[1024];
            byte[] compressed = ZstdCodec.SHARED.compress(plain, 0, plain.length, 0);
            return compressed != null;
        }
    }
}
