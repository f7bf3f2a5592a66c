// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import org.apache.dubbo.common.extension.ExtensionScope;
import org.apache.dubbo.common.extension.SPI;
import org.apache.dubbo.rpc.model.ApplicationModel;

/**
 * Creates what {@link HighwayReport#of}, {@link HighwayExplain#of}, {@link HighwayProbe#run} and {@link
 * HighwayMeters#of} return, without naming these types. Internal: public for another package of this module only, not
 * part of the API, and free to change. Thread-safe.
 *
 * @param <T> a report, meters, or a function that makes reports
 */
@SPI(scope = ExtensionScope.FRAMEWORK)
public interface InternalReports<T> {

    /**
     * {@return the current report of an application; empty while the highway is off, and until its configuration has
     * been read}
     *
     * @param application the application
     */
    T of(ApplicationModel application);

    /**
     * {@return the report of an application by one of the extensions}
     *
     * @param <T> the type of that extension
     * @param name the name of that extension
     * @param application the application
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the name says which
    static <T> T of(String name, ApplicationModel application) {
        return ((InternalReports<T>)
                        application.getExtensionLoader(InternalReports.class).getExtension(name))
                .of(application);
    }
}
