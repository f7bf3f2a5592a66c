// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.Island;

@Island("shanghai")
interface SmsService {

    String send(String text);
}
