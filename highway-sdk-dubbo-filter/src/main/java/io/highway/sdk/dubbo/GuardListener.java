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

        private final String word = Texts.word(this);

        /** {@return the word used in meters and docs, such as {@code refused}; {@link #toString()} is the same} */
        public String word() {
            return word;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    /**
     * What the guard did with one call. Immutable. It references nothing of the request but names. {@link #builder} makes one
     * for tests; later versions may have more components.
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
         * {@return a builder, for tests of a {@link GuardListener}}
         *
         * @param result what the guard did
         * @param reason a word of {@code docs/operate/operations.md}, such as {@code denied}
         * @param interfaceName the full name of the service interface
         * @param methodName the name of the method
         */
        public static Builder builder(Result result, String reason, String interfaceName, String methodName) {
            return new Builder(result, reason, interfaceName, methodName);
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

        /** Builds events. Not thread-safe. */
        public static final class Builder {

            private final Result result;
            private final String reason;
            private final String interfaceName;
            private final String methodName;
            private @Nullable String rule;
            private @Nullable Caller caller;
            private @Nullable String peer;
            private @Nullable String island;

            private Builder(Result result, String reason, String interfaceName, String methodName) {
                this.result = Objects.requireNonNull(result, "result");
                this.reason = Objects.requireNonNull(reason, "reason");
                this.interfaceName = Objects.requireNonNull(interfaceName, "interfaceName");
                this.methodName = Objects.requireNonNull(methodName, "methodName");
            }

            /**
             * Sets the rule.
             *
             * @param name its name, or null
             * @return this builder
             */
            public Builder rule(@Nullable String name) {
                this.rule = name;
                return this;
            }

            /**
             * Sets the caller.
             *
             * @param known the caller, or null if it is unknown
             * @return this builder
             */
            public Builder caller(@Nullable Caller known) {
                this.caller = known;
                return this;
            }

            /**
             * Sets the connection's peer.
             *
             * @param address its IP address, or null if it is unknown
             * @return this builder
             */
            public Builder peer(@Nullable String address) {
                this.peer = address;
                return this;
            }

            /**
             * Sets the destination that the call names.
             *
             * @param id its id, or null
             * @return this builder
             */
            public Builder island(@Nullable String id) {
                this.island = id;
                return this;
            }

            /** {@return the event} */
            public GuardEvent build() {
                return new GuardEvent(result, reason, interfaceName, methodName, rule, caller, peer, island);
            }
        }
    }
}
