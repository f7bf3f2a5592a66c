// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Changes the policy of running applications by ZooKeeper or Nacos, and shows what is active in each. */
@NullMarked
package io.highway.tools.policy;

import org.jspecify.annotations.NullMarked;
