// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import io.highway.sdk.Caller;
import org.jspecify.annotations.Nullable;

/**
 * What a signature proves.
 *
 * @param reason why the call is refused, a word, or null if it is not
 * @param detail the cause and what to do, for people, without a full stop; without secrets
 * @param mayHaveRun whether the same request may have run before
 * @param caller the caller with what the signature proves of it, or null if it is unknown or the call is refused
 */
public record Verification(@Nullable String reason, String detail, boolean mayHaveRun, @Nullable Caller caller) {

    static Verification valid(@Nullable Caller caller) {
        return new Verification(null, "", false, caller);
    }

    static Verification refused(String reason, String detail) {
        return new Verification(reason, detail, false, null);
    }
}
