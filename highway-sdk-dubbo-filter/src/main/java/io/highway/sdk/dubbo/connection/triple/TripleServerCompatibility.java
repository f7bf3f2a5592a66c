// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.triple;

import io.highway.sdk.dubbo.policy.Dictionary;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls through gateways reach the Triple providers of an application with the SDK, where Dubbo 3.3 alone fails.
 * Other providers are unchanged.
 *
 * <ul>
 *   <li>Dubbo 3.3 starts a connection's window at 65536 ({@code TripleConfig}), one byte more than HTTP/2 defines; a
 *       proxy that raises it to the maximum, as nginx does with its first frame, overflows it, and Dubbo closes the
 *       connection. Dubbo 3.2 starts at 65535.
 *   <li>{@link MessageReassembler}.
 * </ul>
 */
public final class TripleServerCompatibility {

    private static final Logger log = LoggerFactory.getLogger(TripleServerCompatibility.class);

    /** RFC 9113, section 6.9.2. */
    private static final int STANDARD_WINDOW = 65_535;

    /** The maximum length of an array. */
    static final int MOST = Integer.MAX_VALUE - 8;

    private final Map<ApplicationModel, Function<String, @Nullable Dictionary>> dictionaries =
            new ConcurrentHashMap<>();

    private volatile boolean serving;

    /** Called by Dubbo's bean factory. */
    public TripleServerCompatibility() {}

    static TripleServerCompatibility of(FrameworkModel framework) {
        return framework.getBeanFactory().getOrRegisterBean(TripleServerCompatibility.class);
    }

    /**
     * Prepares a server before its start.
     *
     * @param dictionaries the present dictionary of an island that calls, or null if it has none
     */
    public static void serveGateways(
            ApplicationModel application,
            ProtocolConfig protocol,
            Function<String, @Nullable Dictionary> dictionaries) {
        FrameworkModel framework = application.getFrameworkModel();
        of(framework).serve(application, dictionaries);
        InflationLimit.of(framework)
                .include(protocol.getPayload() == null ? Constants.DEFAULT_PAYLOAD : protocol.getPayload());
        ZstdInflation.register(framework);
        standardizeWindow(protocol);
    }

    private void serve(ApplicationModel application, Function<String, @Nullable Dictionary> itsDictionaries) {
        serving = true;
        if (dictionaries.putIfAbsent(application, itsDictionaries) == null) {
            application.addDestroyListener(model -> dictionaries.remove(application));
        }
    }

    /** The encoding with the dictionary of an island that calls, or null if there is none here. */
    @Nullable
    String dictionaryOf(String island) {
        if (ZstdLibrary.isPresent()) {
            for (Function<String, @Nullable Dictionary> known : dictionaries.values()) {
                Dictionary dictionary = known.apply(island);
                if (dictionary != null) {
                    return dictionary.encoding();
                }
            }
        }
        return null;
    }

    boolean serveGateways() {
        return serving;
    }

    /** Sets the standard window unless one is configured; by reflection, since Dubbo 3.2 has no such setting. */
    private static void standardizeWindow(ProtocolConfig protocol) {
        try {
            Object triple = ProtocolConfig.class.getMethod("getTripleOrDefault").invoke(protocol);
            Class<?> type = triple.getClass();
            if (type.getMethod("getConnectionInitialWindowSize").invoke(triple) == null) {
                type.getMethod("setConnectionInitialWindowSize", Integer.class).invoke(triple, STANDARD_WINDOW);
            }
        } catch (ReflectiveOperationException e) {
            log.debug("highway: this Dubbo's Triple has no initial window to set: " + e);
        }
    }
}
