// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.hellospringboot;

public interface GreetingService {

    String greet(String name);
}
