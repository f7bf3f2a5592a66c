// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.testsupport.certificates;

import java.nio.file.Path;

/**
 * The credentials of one party.
 *
 * @param certificate PEM
 * @param privateKey PEM, PKCS#8, not encrypted
 */
public record Identity(Path certificate, Path privateKey) {}
