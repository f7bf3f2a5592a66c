// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.util.Optional;
import org.apache.dubbo.common.extension.ExtensionScope;
import org.apache.dubbo.common.extension.SPI;
import org.apache.dubbo.rpc.model.ApplicationModel;

/**
 * Creates what {@link HighwayReport#of} returns. Internal: public for another package of this module only, not part of the
 * API, and free to change. Thread-safe.
 */
@SPI(value = "highway", scope = ExtensionScope.FRAMEWORK)
public interface InternalReports {

    /**
     * {@return the current report; empty while the highway is off, and until its configuration has been read}
     *
     * @param application the application
     */
    Optional<HighwayReport> report(ApplicationModel application);
}
