// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import io.highway.sdk.dubbo.HighwayProbe;
import io.highway.sdk.dubbo.internal.operate.report.PlainValues;
import java.util.List;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/** {@code /actuator/highwayprobe}: checks islands end to end; empty while the highway is off. */
@Endpoint(id = "highwayprobe")
record HighwayProbeEndpoint(ApplicationModel application) {

    /** Probes every configured island. */
    @ReadOperation
    public List<?> islands() {
        return (List<?>) PlainValues.of(HighwayProbe.run(application));
    }

    /** Probes one island. */
    @ReadOperation
    public List<?> island(@Selector String island) {
        try {
            return (List<?>) PlainValues.of(HighwayProbe.run(application, island));
        } catch (IllegalArgumentException e) {
            throw new InvalidEndpointRequestException(String.valueOf(e.getMessage()), "not an island to probe");
        }
    }
}
