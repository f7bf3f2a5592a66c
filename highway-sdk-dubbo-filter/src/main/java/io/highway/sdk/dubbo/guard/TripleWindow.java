// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.guard;

import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.config.ProtocolConfig;

/**
 * Lets nginx, APISIX and HAProxy reach a Triple provider. Dubbo 3.3 starts a connection's window at 65536 ({@code
 * TripleConfig}), one byte more than HTTP/2 says; a proxy that raises it to the maximum, as nginx does with its first frame,
 * overflows it, and Dubbo closes the connection. Dubbo 3.2 starts at 65535.
 */
public final class TripleWindow {

    private static final Logger log = LoggerFactory.getLogger(TripleWindow.class);

    /** RFC 9113, section 6.9.2. */
    private static final int STANDARD = 65_535;

    private TripleWindow() {}

    /** Sets the standard's window where nobody has set another one; by name, since Dubbo 3.2 has no such setting. */
    public static void standardize(ProtocolConfig protocol) {
        try {
            Object triple = ProtocolConfig.class.getMethod("getTripleOrDefault").invoke(protocol);
            Class<?> type = triple.getClass();
            if (type.getMethod("getConnectionInitialWindowSize").invoke(triple) == null) {
                type.getMethod("setConnectionInitialWindowSize", Integer.class).invoke(triple, STANDARD);
            }
        } catch (ReflectiveOperationException e) {
            log.debug("highway: this Dubbo's Triple has no initial window to set: " + e);
        }
    }
}
