// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.fixtures.certificates.Identity;
import java.nio.file.Path;

/**
 * The certificates of clients at an entrance with TLS: an accepted and a refused one.
 *
 * @param authority the authority that signed the gateways' certificates, PEM
 * @param client an application that is accepted
 * @param stranger an application with a certificate of another authority
 */
public record Certificates(Path authority, Identity client, Identity stranger) {}
