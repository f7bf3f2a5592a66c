// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.it;

import io.highway.sdk.Island;

/** A service whose interface names its island. */
@Island("beijing")
public interface Files {

    String read(String name);
}
