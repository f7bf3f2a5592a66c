// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import io.highway.sdk.Caller;
import io.highway.sdk.internal.Texts;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Receives what the guard of this process refuses, would refuse or marks. Calls that it lets pass without a mark are not
 * reported.
 *
 * <p>Called by many threads at once, on the thread that would serve the call, or, for a call over Triple that its headers
 * decide, on the event loop of its connection: it must not block. Exceptions are logged and have no other effect.
 */
@FunctionalInterface
public interface GuardListener {

    /**
     * The guard has refused a call, would have refused it, or has marked it.
     *
     * @param event what it did; it may be kept
     */
    void onGuard(GuardEvent event);

    /** What the guard did. */
    enum Result {
        /** It refused the call; no code of the service ran. */
        REFUSED,
        /** It would have refused the call, and let it pass because {@code guard.mode} or {@code sign.mode} is {@code shadow}. */
        SHADOW,
        /** It let the call pass, and a rule with the action {@code audit} matches it. */
        AUDITED;

        /** {@return the word used in meters and docs, such as {@code refused}; {@link #toString()} is the same} */
        public String word() {
            return Texts.word(this);
        }

        @Override
        public String toString() {
            return Texts.word(this);
        }
    }

    /**
     * What the guard did with one call. Immutable. It references nothing of the request but names.
     * Applications create one in tests of a {@link GuardListener} only; later versions may have more components.
     *
     * @param result what the guard did
     * @param reason why, as a word of {@code docs/operate/operations.md}: one of a few, which no caller can invent
     * @param interfaceName the full name of the service interface
     * @param methodName the name of the method, as the caller writes it; of a generic call, the one that it names
     * @param rule the name of the rule that refuses or marks the call, or null if no rule does
     * @param caller the caller, verified or not; null if it is unknown
     * @param peer the IP address of the connection's peer, or null if it is unknown
     * @param island the destination that the call names, or null if it has no route headers
     */
    record GuardEvent(
            Result result,
            String reason,
            String interfaceName,
            String methodName,
            @Nullable String rule,
            @Nullable Caller caller,
            @Nullable String peer,
            @Nullable String island) {

        /**
         * Creates one. Throws {@link NullPointerException}, with the name, if an argument is null that is not {@code @Nullable}.
         *
         * @param result what the guard did
         * @param reason why, as a word of {@code docs/operate/operations.md}: one of a few, which no caller can invent
         * @param interfaceName the full name of the service interface
         * @param methodName the name of the method, as the caller writes it
         * @param rule the name of the rule that refuses or marks the call
         * @param caller the caller, verified or not
         * @param peer the IP address of the connection's peer
         * @param island the destination that the call names
         */
        public GuardEvent {
            Objects.requireNonNull(result, "result");
            Objects.requireNonNull(reason, "reason");
            Objects.requireNonNull(interfaceName, "interfaceName");
            Objects.requireNonNull(methodName, "methodName");
        }

        /** {@return whether the call passed only because {@code guard.mode} or {@code sign.mode} is {@code shadow}} */
        public boolean isShadow() {
            return result == Result.SHADOW;
        }

        /** {@return the event for logs} */
        @Override
        public String toString() {
            return result + ", " + reason + (rule == null ? "" : " by rule " + rule) + ": " + interfaceName + "#"
                    + methodName + " for " + (caller == null ? "an unknown caller" : caller)
                    + (peer == null ? "" : " from " + peer);
        }
    }
}
