// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart.service;

import static io.highway.sdk.Island.When.HOME_ABSENT;

import io.highway.sdk.Island;

/** Home's providers come first; home has none, so beijing serves it. */
@Island(value = "beijing", when = HOME_ABSENT)
public interface ArchiveService {

    String find(String name);
}
