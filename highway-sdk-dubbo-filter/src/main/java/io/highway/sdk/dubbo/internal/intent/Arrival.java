// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.intent;

import java.util.function.Consumer;

/**
 * How a call arrived over the HTTP tunnel, which its service's URL does not tell.
 *
 * @param id the same in all copies of the request, of which one may run
 * @param refuse answers without a frame, for this reason
 */
public record Arrival(long id, Consumer<String> refuse) {}
