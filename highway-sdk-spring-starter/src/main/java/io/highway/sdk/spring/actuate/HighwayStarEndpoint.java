// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import io.highway.sdk.dubbo.HighwayReport;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;

/** {@code /actuator/highwaystar}: a page that draws {@code /actuator/highway}, from which it reads; static. */
@WebEndpoint(id = "highwaystar")
class HighwayStarEndpoint {

    /** The page. */
    @ReadOperation(produces = "text/html")
    public Resource star() {
        return new ClassPathResource("star.html", HighwayReport.class);
    }
}
