// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.account;

/** The methods that are called; {@code query*} is configured as idempotent. */
public enum CallKind {
    QUERY("query"),
    SUBMIT("submit"),
    QUERY_LATER("queryLater"),
    SUBMIT_LATER("submitLater");

    private final String method;

    CallKind(String method) {
        this.method = method;
    }

    /** The method's name. */
    public String method() {
        return method;
    }

    /** Whether it may run more than once. */
    public boolean isIdempotent() {
        return this == QUERY || this == QUERY_LATER;
    }

    /** Whether it answers by a future. */
    public boolean isAsync() {
        return this == QUERY_LATER || this == SUBMIT_LATER;
    }
}
