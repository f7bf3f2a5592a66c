// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.triple;

import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.rpc.model.FrameworkModel;

/**
 * The largest message that Dubbo inflates in this process: the largest of the {@code payload} of its Triple servers and
 * of its references that call through gateways. Dubbo inflates without a limit, and with no means to know which server
 * or reference a message is for. Thread-safe.
 */
public final class InflationLimit {

    private volatile int bytes;

    /** Called by Dubbo's bean factory. */
    public InflationLimit() {}

    static InflationLimit of(FrameworkModel framework) {
        return framework.getBeanFactory().getOrRegisterBean(InflationLimit.class);
    }

    /** Bounds the answers of this reference, and lets Dubbo inflate what its calls ask for. */
    public static void answersOf(URL reference) {
        FrameworkModel framework = reference.getOrDefaultFrameworkModel();
        ZstdInflation.register(framework);
        of(framework).include(reference.getParameter(Constants.PAYLOAD_KEY, Constants.DEFAULT_PAYLOAD));
    }

    synchronized void include(int payload) {
        bytes = Math.max(bytes, payload > 0 ? payload : TripleServerCompatibility.MOST);
    }

    /** The limit; 0 if there is none. */
    int bytes() {
        return bytes;
    }
}
