// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import io.highway.sdk.dubbo.HighwayExplain;
import io.highway.sdk.dubbo.HighwayExplain.Call;
import io.highway.sdk.dubbo.internal.operate.report.PlainValues;
import java.util.List;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.lang.Nullable;

/** {@code /actuator/highwayexplain/<interface>/<method>}: where a call would go, and why. Sends nothing. */
@Endpoint(id = "highwayexplain")
record HighwayExplainEndpoint(ApplicationModel application) {

    /**
     * Explains a call; an empty list while the highway is off.
     *
     * @param service {@code interface[:version]}
     * @param method the method, or {@code method(types)}
     * @param island as if the attachment {@code highway-island} had this value
     * @param scope as if the call ran in the scope of this island, or of {@code home}
     * @param key as if the argument with {@code @IslandKey} had this value
     */
    @ReadOperation
    public List<?> explain(
            @Selector String service,
            @Selector String method,
            @Nullable String island,
            @Nullable String scope,
            @Nullable String key) {
        try {
            Call call = Call.of(service, method);
            call = island == null ? call : call.attachment(island);
            call = scope == null ? call : call.scope(scope);
            return (List<?>) PlainValues.of(HighwayExplain.of(application, key == null ? call : call.key(key)));
        } catch (IllegalArgumentException e) {
            throw new InvalidEndpointRequestException(String.valueOf(e.getMessage()), "not a call to explain");
        }
    }
}
