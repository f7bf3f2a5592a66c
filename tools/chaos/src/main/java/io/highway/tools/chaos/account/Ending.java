// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.account;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.tools.chaos.service.DeclinedException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** How a call ended for its caller: the SDK's outcomes, and the wrong ends. */
public enum Ending {
    UNDER_WAY("not ended"),
    DELIVERED("delivered"),
    REFUSED("refused"),
    NOT_SENT("not sent"),
    SENT_UNKNOWN("sent unknown"),
    /** Another island answered. */
    OTHER_ISLAND("answered by another island"),
    /** Shanghai's answer to something else, or no answer at all. */
    OTHER_ANSWER("an answer to something else"),
    /** Neither a value, nor the service's own exception, nor the SDK's. */
    OTHER_EXCEPTION("an exception of another class");

    private static final Ending[] ALL = values();

    private final String words;

    Ending(String words) {
        this.words = words;
    }

    /** The words for reports. */
    public String words() {
        return words;
    }

    static Ending of(byte ordinal) {
        return ALL[ordinal];
    }

    /** Classifies the result that a caller got. */
    static Ending of(int id, String island, @Nullable String value, @Nullable Throwable thrown) {
        Throwable failure = unwrapped(thrown);
        if (failure instanceof DeclinedException declined) {
            return ofAnswer(id, island, declined.getMessage());
        } else if (failure instanceof HighwayException ended) {
            return switch (ended.outcome()) {
                case REFUSED -> REFUSED;
                case NOT_SENT -> NOT_SENT;
                case SENT_UNKNOWN -> SENT_UNKNOWN;
                case DELIVERED -> throw new IllegalStateException("a failure is not delivered", ended);
            };
        }
        return failure == null ? ofAnswer(id, island, value) : OTHER_EXCEPTION;
    }

    static @Nullable Throwable unwrapped(@Nullable Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    private static Ending ofAnswer(int id, String island, @Nullable String answer) {
        if ((island + " " + id).equals(answer)) {
            return DELIVERED;
        }
        return answer == null || answer.startsWith(island + " ") ? OTHER_ANSWER : OTHER_ISLAND;
    }
}
