// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.springboot.service;

import io.highway.sdk.IslandKey;
import java.util.concurrent.CompletableFuture;

/** Sends messages. Home has no operator, so no provider of this either. */
public interface SmsService {

    String send(String text);

    CompletableFuture<String> sendLater(String text);

    /** The order determines the island: the one of its address. */
    String sendFor(@IslandKey("address.area") Order order);
}
