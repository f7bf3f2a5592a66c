// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package com.example.ledger;

import java.util.concurrent.CompletableFuture;
import org.apache.dubbo.common.stream.StreamObserver;

/**
 * A service in a package of its own: Dubbo's serialize check trusts the packages of a service's interface, and a user's
 * interface is not in the SDK's.
 */
public interface Ledger {

    /** Fails as {@code how} says. */
    String book(String how);

    /** Fails later, on another thread. */
    CompletableFuture<String> bookLater(String how);

    /** Answers when the test lets it. */
    String wait(String entry);

    /** Streams of the service, which Triple alone carries. */
    interface Feed {

        /** Answers once, then fails as {@code how} says. */
        void entries(String how, StreamObserver<String> answers);
    }

    /** The service's own exception, unchecked; it stands beside the interface, so Dubbo lets it through. */
    class LedgerException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public LedgerException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
