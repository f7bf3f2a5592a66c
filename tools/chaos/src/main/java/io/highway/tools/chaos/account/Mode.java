// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.account;

import java.util.Locale;

/** The tunnel in a consumer's policy. */
public enum Mode {
    DUBBO,
    TRIPLE,
    HTTP,
    AUTO;

    /** The value in the policy. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
