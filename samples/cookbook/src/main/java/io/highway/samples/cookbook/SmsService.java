// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import io.highway.sdk.IslandKey;
import java.util.concurrent.CompletableFuture;

public interface SmsService {

    String send(String text);

    CompletableFuture<String> sendAsync(String text);

    String sendTo(@IslandKey String area, String text);
}
