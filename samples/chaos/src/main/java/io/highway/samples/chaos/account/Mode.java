// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.chaos.account;

import java.util.Locale;

/** The tunnel a consumer has in its policy. */
public enum Mode {
    DUBBO,
    TRIPLE,
    AUTO;

    /** As the policy writes it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
