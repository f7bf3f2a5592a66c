// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.policy;

/** Answers where it runs. */
public interface Place {

    /** The island of the provider. */
    String where();
}
