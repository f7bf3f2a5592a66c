// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import java.util.Map;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.config.Environment;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.context.ConfigManager;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;

/**
 * Sets the windows and the largest frame of an application's Triple servers.
 *
 * <ul>
 *   <li>Dubbo 3.3 starts a connection's window at 65536 ({@code TripleConfig}), one byte more than HTTP/2 defines; a
 *       proxy that raises it to the maximum, as nginx does with its first frame, overflows it, and Dubbo closes the
 *       connection. Dubbo 3.2 starts at 65535.
 *   <li>Windows go by {@code max-buffered}, instead of 8 MB for a stream and 16 MB for a connection: with larger windows
 *       peers could send more than that before they are held up. A stream has {@link MemoryBudget#streamWindow}, a
 *       connection the standard one, which {@link TripleRequestHandler} raises. A frame has at most 16 KB.
 * </ul>
 */
public final class TripleWindows {

    private static final Logger log = LoggerFactory.getLogger(TripleWindows.class);

    /** RFC 9113, section 6.9.2. */
    private static final int STANDARD_WINDOW = 65_535;

    /** The standard, instead of 8 MB: Netty buffers a whole frame before anything can count it. */
    private static final int FRAME = 16 * 1024;

    /** Keys of Dubbo 3.2. */
    private static final String WINDOW_OF_STREAMS = "dubbo.rpc.tri.initial-window-size";

    private static final String FRAME_OF_ALL = "dubbo.rpc.tri.max-frame-size";

    private TripleWindows() {}

    /** Sets them before a server starts, unless others are configured; by reflection, since Dubbo 3.2 has no such settings. */
    public static void set(ApplicationModel application, ProtocolConfig protocol) {
        int ofStreams = windowOfStreams(application.getFrameworkModel());
        try {
            set(protocol, ofStreams);
        } catch (ReflectiveOperationException e) {
            log.debug("highway: this Dubbo's Triple has no initial window to set: " + e);
            Environment settings = application.modelEnvironment();
            Map.of(WINDOW_OF_STREAMS, ofStreams, FRAME_OF_ALL, FRAME).forEach((key, value) -> {
                if (settings.getConfiguration().getString(key) == null) {
                    settings.updateAppConfigMap(Map.of(key, String.valueOf(value)));
                }
            });
        }
    }

    private static int windowOfStreams(FrameworkModel framework) {
        int window = MemoryBudget.of(framework).streamWindow();
        return window == MemoryBudget.STEP ? STANDARD_WINDOW : window;
    }

    /**
     * The same for a server whose protocol is set on {@code ServiceConfig} only: Dubbo 3.3 takes the settings of a new
     * connection from the application's protocol of that name, which is another object then.
     */
    static void set(URL server) {
        try {
            set(
                    ConfigManager.class
                            .getMethod("getProtocolOrDefault", URL.class)
                            .invoke(null, server),
                    windowOfStreams(server.getOrDefaultFrameworkModel()));
        } catch (ReflectiveOperationException e) {
            log.debug("highway: this Dubbo has one window for all servers: " + e);
        }
    }

    private static void set(Object protocol, int ofStreams) throws ReflectiveOperationException {
        Object triple = ProtocolConfig.class.getMethod("getTripleOrDefault").invoke(protocol);
        set(triple, "ConnectionInitialWindowSize", STANDARD_WINDOW);
        set(triple, "InitialWindowSize", ofStreams);
        set(triple, "MaxFrameSize", FRAME);
    }

    private static void set(Object triple, String name, int value) throws ReflectiveOperationException {
        if (triple.getClass().getMethod("get" + name).invoke(triple) == null) {
            triple.getClass().getMethod("set" + name, Integer.class).invoke(triple, value);
        }
    }
}
