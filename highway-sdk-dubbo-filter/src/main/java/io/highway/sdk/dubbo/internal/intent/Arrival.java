// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.intent;

/** How a call arrived, where its service's URL does not tell. */
public enum Arrival {
    /** Over the HTTP tunnel. */
    HTTP
}
