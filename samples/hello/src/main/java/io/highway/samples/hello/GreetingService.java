// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.hello;

import io.highway.sdk.Island;

@Island("shanghai") // every call of it goes there
public interface GreetingService {

    String greet(String name);
}
