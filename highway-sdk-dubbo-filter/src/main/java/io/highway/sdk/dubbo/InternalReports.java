// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.dubbo.common.extension.ExtensionScope;
import org.apache.dubbo.common.extension.SPI;
import org.apache.dubbo.rpc.model.ApplicationModel;

/**
 * Creates what {@link HighwayReport#of}, {@link HighwayExplain#of} and {@link HighwayProbe#run} return. Internal: public
 * for another package of this module only, not part of the API, and free to change. Thread-safe.
 */
@SPI(value = "highway", scope = ExtensionScope.FRAMEWORK)
public interface InternalReports {

    /**
     * {@return the current report; empty while the highway is off, and until its configuration has been read}
     *
     * @param application the application
     */
    Optional<HighwayReport> report(ApplicationModel application);

    /**
     * {@return the explanations of a call; empty while the highway is off, and until its configuration has been read}
     *
     * @param application the application
     * @param call the call
     */
    List<HighwayExplain> explain(ApplicationModel application, HighwayExplain.Call call);

    /**
     * {@return one probe per island, see {@link HighwayProbe#run}; blocks}
     *
     * @param application the application
     * @param islands their ids; empty for all that are configured
     */
    List<HighwayProbe> probe(ApplicationModel application, Collection<String> islands);
}
