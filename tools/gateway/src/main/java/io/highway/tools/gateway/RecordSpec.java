// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import java.nio.file.Path;

/** Where messages are recorded, and how many at most. */
record RecordSpec(Path directory, int messages) {}
