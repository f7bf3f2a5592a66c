// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.it;

import io.highway.sdk.IslandKey;

/** A service that returns its island. */
public interface Sms {

    String send(String text);

    String sendTo(@IslandKey String key, String text);
}
