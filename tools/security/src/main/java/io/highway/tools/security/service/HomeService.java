// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.service;

import java.util.concurrent.CompletableFuture;

/** A service for callers at home, which send no route headers. */
public interface HomeService {

    /** Answers. */
    String ping();

    /** As {@link #ping}. */
    CompletableFuture<String> pingLater();
}
