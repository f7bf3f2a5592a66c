// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.tls;

/** Whose certificate it is: the gateway's, an authority's, or the application's own. */
public enum CertificateRole {
    /** Ours, which the gateway asks for: of the file that the next connection uses. */
    OWN,
    /** Those that may sign the gateway's: the one that ends last, as a file has both while they change. */
    AUTHORITY,
    /** The gateway's, with its intermediates, as the present connection has got it. */
    GATEWAY
}
