// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.springboot.order;

import io.highway.sdk.dubbo.HighwayException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Maps calls without an answer from their island to HTTP statuses. */
@RestControllerAdvice
class Refusals {

    @ExceptionHandler
    ProblemDetail explain(HighwayException failure) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status(failure), failure.getMessage());
        problem.setTitle(failure.reason().word());
        return problem;
    }

    /** Clients may retry after 503 only: nothing has run. */
    private static HttpStatus status(HighwayException failure) {
        if (failure.isForbidden()) {
            return HttpStatus.BAD_REQUEST;
        }
        return failure.mayHaveRun() ? HttpStatus.BAD_GATEWAY : HttpStatus.SERVICE_UNAVAILABLE;
    }
}
