// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring.service;

import java.util.concurrent.CompletableFuture;

/** Sends texts; health checks use it, too. */
public interface SmsService {

    CompletableFuture<String> send(String text);

    /** Denied by the guard. */
    CompletableFuture<String> purge();
}
