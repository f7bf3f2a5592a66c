// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.evidence;

/** The forms in which a gateway reports a failure. */
public enum GatewayError {
    /** Its upstream refused, reset or lost the request. */
    RESET,
    /** One of its own time limits ended the call. */
    TIME_OUT,
    /** It answered with a page instead of gRPC. */
    PAGE,
    /** Over HTTP/1.1, what the call was sent to does not serve it. */
    NO_RECEIVER,
    /** It answered with no more than a status. */
    STATUS
}
