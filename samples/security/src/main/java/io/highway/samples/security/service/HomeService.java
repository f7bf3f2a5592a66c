// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.security.service;

/** A service for callers at home, which send no route headers. */
public interface HomeService {

    /** Answers. */
    String ping();
}
