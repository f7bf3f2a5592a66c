// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring.service;

import java.util.concurrent.CompletableFuture;

/** Another service, with separate providers. */
public interface ReportService {

    CompletableFuture<String> report(int day);
}
