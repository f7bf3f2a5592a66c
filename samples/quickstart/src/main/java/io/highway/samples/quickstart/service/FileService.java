// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart.service;

import io.highway.sdk.Island;

/** Only shanghai deploys it; home starts without it. */
@Island("shanghai")
public interface FileService {

    String read(String name);
}
