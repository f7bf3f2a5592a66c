// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import org.jspecify.annotations.Nullable;

/** A place where an operator publishes the rule. Each implementation reads on a thread that it starts. */
interface RuleSource {

    /** Its name in logs and reports, such as {@code config-center}. */
    String name();

    /** What distinguishes it from the sources of other environments, such as the address of a config centre. */
    String identity();

    /** Why no change arrives at present, or null. */
    default @Nullable String problem() {
        return null;
    }

    /** Starts to read, and to report every change. Never blocks. */
    void start(Mailbox mailbox);

    /** Stops reading. Never blocks. */
    void close();
}
